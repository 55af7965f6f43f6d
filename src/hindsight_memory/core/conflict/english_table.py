"""English predicates and the attributes that they give a value to, as a table.

An entry is "form attribute flags: keys"; the attribute has "_" for spaces, "-" for none, and after
"=" the value that a FIXED one says. A key is the base form of the verb ("be" before a participle in
the passive) and the words after it, without articles and adverbs; the longest that fits is taken.
A new phrase is a key of an entry.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from hindsight_memory.core.conflict.english_words import ADVERBS
from hindsight_memory.core.conflict.model import Polarity
from hindsight_memory.core.conflict.vocabulary import entries


class Form(StrEnum):
    """How the words after a predicate are read; most are read as they stand."""

    PLAIN = "plain"
    FIXED = "fixed"
    """The predicate says the value: "works from home", "married Ann"."""
    INVERSE = "inverse"
    """The subject is the value: "Nina oversees the rollout" gives the rollout an owner."""
    KIND = "kind"
    """The kind of the value says which attribute: "uses Firefox"."""
    MOVE = "move"
    """A place, an employer, a team, a date or a kind: "moved to"."""
    ANYTHING = "anything"
    """Ends whatever has that value: "gave up coffee"."""
    SWAP = "swap"
    """Ends one value and begins another: "traded the van for a bike"."""
    GIVE = "give"
    """Somebody else becomes the owner: "handed the project to Ann"."""
    POSSESSION = "possession"
    """A pet, a vehicle, an amount or whatever: "has"."""
    ROLE = "role"
    """What somebody is or became: "a nurse at the clinic", "the coach of the team"."""
    OFFER = "offer"
    """A post somewhere: "accepted a position at the lab"."""
    HOBBY = "hobby"
    """What somebody began to play or do: "took up the cello"."""
    WORK = "work"
    """At an organisation it is work for it: "teaches physics at the college"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """value: what a FIXED predicate says. replaces: something else was there before.
    lasting: said in the past tense of what stays true ("was born in").
    """

    attribute: str = ""
    value: str = ""
    form: Form = Form.PLAIN
    polarity: Polarity = Polarity.HOLDS
    replaces: bool = False
    lasting: bool = False


_POLARITIES = {"ended": Polarity.ENDED, "denied": Polarity.DENIED}

_TABLE = """
plain residence:
    rent flat in, rent apartment in, rent house in, rent room in, rent place in, live in, live
    at, live on, reside in, reside at, be base in, be base at, be base out of
plain residence replaces:
    move into, settle in, emigrate to, immigrate to, settle down in, buy house
    in, buy home in, buy flat in, buy apartment in, purchase house in, purchase home in
plain residence ended: move out of, move away from
plain household replaces: move in with
plain household: live with, share apartment with, share flat with
fixed household=alone: live alone
move - replaces:
    move to, relocate to, return to, go to, be move to, be transfer to, transfer to, shift to,
    pass to, be relocate to, be hand to, be hand over to, be reassign to, be assign to, change
    to, be change to, be set to, be update to, be reschedule to, be reschedule for, be
    postpone to, be push to, be delay to, be bring forward to, be postpone until, be delay
    until, be pass to, be raise to, be increase to, be lower to, be reduce to, be cut to, be
    bump to, rise to, increase to, drop to, fall to, grow to, shrink to
plain employer: work at, work for, be employ by, be employ at, intern at, teach at
plain employer replaces:
    find job at, found job at, get job at, find job with, get job with, start job at,
    join, be hire by, be recruit by, start work at, start at, begin at, defect to, start work
    for
plain employer ended:
    be lay off from, be fire from, be let go from, be unemployed, be jobless, be out of work,
    retire
plain job: work as, serve as, be employ as, practice as, act as
role - replaces:
    become, describe themselves as, describe himself as, describe herself as, identify as, be
    promote to, be appoint, be name, be elect, be appoint as, be elect as, go, turn
plain field replaces: transition to, pivot to, transition into, switch career to, change career to
plain school: study at, be enroll at, be enroll in, be student at
plain school ended: drop out of, graduate from
plain name: be call
plain name replaces: be rename to, rename to, be rename, be rebrand as, rebrand as
plain liking:
    like, love, enjoy, prefer, adore, crave, favor, favour, be fan of, be fond of, be into, be
    interested in, be keen on, be passionate about, be big fan of, be huge fan of
plain liking: can stand
plain liking denied: dislike, hate, detest, despise, avoid, be tired of, be sick of, be averse to
plain allergy:
    be allergic to, be intolerant to, be intolerant of, have allergy to, be sensitive to
plain allergy ended: outgrow, tolerate, grow out of, can eat, can tolerate
plain condition lasting: be diagnose with, suffer from
plain fear: be afraid of, be scared of, fear, be terrified of, have fear of
plain fear ended: overcome, conquer, get over
plain language:
    speak, be fluent in, be proficient in, be conversant in, be native speaker of, reach
    fluency in, achieve fluency in, become fluent in
plain language ended: forget
plain language lasting: reach fluency in, achieve fluency in, become fluent in
fixed marital_status=married: be marry to, be marry with, be marry
fixed marital_status=married replaces: marry, wed, get married to, remarry, remarry to, be remarry
    to, get married
fixed marital_status=engaged replaces: be engage to, get engaged to, get engaged
fixed marital_status=divorced replaces:
    divorce, get divorced from, be divorce from, get divorced, be divorce, finalize divorce,
    finalise divorce
fixed marital_status=separated replaces:
    separate from, split from, break up with, split up with, file for divorce, break up, split
    up
fixed marital_status=partnered: be in relationship with, be in relationship, date
fixed work_mode=remote: work from home, work remotely
fixed work_mode=onsite: work on site, work onsite, work in office, work from office, be in office
fixed work_mode=onsite replaces: return to office, go to office
plain manager: report to, be supervise by, report directly to
inverse owner:
    oversee, manage, lead, maintain, be responsible for, be in charge of, head, supervise,
    coordinate, direct
inverse owner replaces:
    take over, take charge of, take ownership of, inherit, take responsibility for
plain owner:
    be own by, be maintain by, be lead by, be handle by, be run by, be oversee by, belong to,
    be coordinate by, be head by, be monitor by, be manage by
give owner replaces: hand, delegate, assign, reassign
plain original_language lasting: be write in language of
plain founder lasting: be found by, be establish by
plain maker lasting: be develop by, be produce by, be manufacture by, be build by
plain author lasting: be write by, be create by, be compose by, be invent by
plain performer lasting: be perform by, be sing by, be play by, be record by
plain director lasting: be direct by
plain origin lasting: be create in, be found in, be establish in, be form in
plain birthplace lasting: be bear in
plain birthday lasting: be bear on
plain place_of_death lasting: die in, pass away in
plain citizenship: be citizen of, be national of, hold citizenship of
plain religion: be affiliate with religion of
plain party lasting: be register as, register as, vote, vote for
plain sport: be associate with sport of
plain position: play position of
plain field: work in field of
plain location:
    be locate in, be locate at, be situate in, be hold in, take place in, take place at, be
    host in
plain schedule:
    be schedule for, be hold on, take place on, be plan for, be set for, start on, meet on, be
    at, run at, happen at, happen on, occur at, occur on, take place at
plain deadline: be due on, be due by, be due, expire on, be due in, be due at
plain price: cost, be price at, sell for
plain salary lasting: earn, get raise to
plain commute: commute by, commute on, go to work by
fixed commute=bike: bike to work, cycle to work
fixed commute=foot: walk to work
fixed commute=car: drive to work
fixed commute=bus: take bus to work, ride bus to work
fixed commute=train: take train to work
fixed commute=subway: take subway to work
fixed shift=day: work 9 to 5, work days
fixed shift=night: work nights
plain platform: be host on, be host by, be deploy to, be deploy on
hobby -: take up
plain age replaces: turn
plain version: be at version, be on version
plain location: be in
plain location: be store in, be keep in, be save in
plain port: listen on, listen on port, run on port, be expose on port, be on port
kind -:
    use, rely on, run, run on, deploy to, be build with, be write in, be build on, program in,
    code in, write code in, develop in, subscribe to, be subscribe to, be on, choose, pick,
    select, follow, eat, be use
kind - replaces:
    switch to, migrate to, convert to, upgrade to, downgrade to, change over to, switch over
    to, be migrate to, be upgrade to, be downgrade to, go with, standardize on, be switch to,
    be convert to, be replace by, be replace with, move over to, be rewrite in, be port to, be
    rebuild in, be rebuild with, be put on, be place on
swap - replaces: trade, trade in, swap, exchange, replace, swap out
plain volunteering: volunteer at, volunteer for, volunteer with, volunteer as
plain payment_method: pay via, pay by, pay with, pay through
plain reply_language:
    want replies in, want answers in, prefer replies in, prefer answers in, reply in, answer
    in, respond in, be answer in, write reply in, write answer in
anything * ended:
    cancel, unsubscribe from, be do with, opt out of, be free of, recover from, be cure of,
    get over, let
anything *_post ended:
    leave, resign from, step down from, withdraw from, be expel from, be kick out of
anything *_habit ended:
    quit, give up, drop, abandon, retire from, step from, swear off, transition away from,
    cease, uninstall, discontinue, cut out, lose interest in, step away from, stop use, grow
    tired of, get tired of, deprecate, move off, turn away from
anything *_thing ended:
    sell, get rid of, part with, give away, rehome, donate, shave off, shave, remove
possession -: have, own, keep, raise, care for, drive, contain, ride, have own
possession - lasting: get, adopt, buy, acquire, lease, receive, purchase, rent, create, obtain
offer - replaces: accept, take, land, secure
work -: teach, lecture, research, practice, consult
plain cause:
    be cause by, be due to, stem from, result from, originate in, lie in, be trace to,
    originate from
"""


def _predicate(head: list[str]) -> Predicate:
    form, named, *flags = head
    attribute, _, value = named.replace("_", " ").partition("=")
    polarities = [_POLARITIES[flag] for flag in flags if flag in _POLARITIES]
    return Predicate(
        attribute=attribute.removeprefix("-"),
        value=value,
        form=Form(form),
        polarity=(polarities or [Polarity.HOLDS])[0],
        replaces="replaces" in flags,
        lasting="lasting" in flags,
    )


def _keyed() -> Iterator[tuple[str, Predicate]]:
    for head, keys in entries(_TABLE):
        row = _predicate(head.split())
        for key in keys.replace("\n", " ").split(","):
            yield " ".join(word for word in key.split() if word not in ADVERBS), row


PREDICATES: Mapping[str, Predicate] = MappingProxyType(dict(_keyed()))
KEY_WORDS = 3
"""Words after the verb in the longest key."""
NO_PREDICATE = Predicate()
