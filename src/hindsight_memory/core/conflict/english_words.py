"""English verbs in all their forms, and the small words between them."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from hindsight_memory.core import value_rows as rows
from hindsight_memory.core.conflict.vocabulary import word_set

_MORE_VERBS = """
abandon accuse achieve acquire act address adopt adore advance advise affect affiliate aid aim
announce annoy apologise apologize appear apply appoint approach argue arrange arrest arrive assign
assist associate attach attack attempt attract automate award bake balance ban bank base bathe
battle beg begin behave believe benchmark bet bike bill bind blame bless blog boil book boost borrow
bother bounce branch breathe breed brush bully bump bundle burn cancel capture care cash catch cause
cease celebrate challenge charge chat cheat check cheer chew chop claim clap clean clear click climb
close coach code collect combine comfort command comment commit communicate commute compare compete
compile complain complete compose concern conduct confess configure confirm confuse conquer consider
construct consult consume contact containerise containerize continue contribute control convert
convince cook copy correct cough count crash crave crawl criticise criticize cross cry cultivate
cure cut cycle damage dance date deal debug declare decline decorate decrease dedicate defeat defect
defend define delay delegate demand deny deprecate describe deserve despise destroy detect determine
detest diagnose die direct disable disappear discontinue discover divide divorce donate double doubt
downgrade draft drag drain draw dream dress drop drown dry earn edit educate elaborate elect email
embark embrace emigrate employ encourage end enforce engage enroll ensure enter entertain escape
establish evaluate evolve exceed exchange exercise exist expand expel explain explode explore expose
express extend face fade fail faint favor favour fear fence fight file fill film finalise finalize
finish fire fish fit fix flash float flood flow focus fold forbid force forget form found frame
freelance freeze frighten fry fund garden generate golf grab graduate greet grin guarantee guard
guess guide halve hand hang happen harm harvest head heal heat hide hike hire hit hop hug hunt hurry
hurt identify ignore illustrate imagine immigrate impress increase influence inform inherit injure
insert insist inspect inspire install instruct insult intend interest intern interpret interrupt
interview introduce invent invest investigate invite jail jog judge juggle jump justify kick kill
kiss kneel knit knock label lack land lapse last laugh launch lay lean leap lease lecture lend let
license lick lift lighten link lint list load locate lock long look lose lower luck manufacture
march mark marry master matter melt mend mention mentor merge miss mix moan moderate motivate move
murder name nap need negotiate nest nod note notice number observe obtain occupy occur offend offer
open operate opt orbit orchestrate order organise organize originate outline overlook oversee owe
pack paddle paint park part participate pass pause pay peel perceive perform permit persuade pet
phone pick pin pine pitch pivot place plan plant play please pledge plug poke polish pop possess
post postpone pour practise pray preach predict prepare present preserve press pretend prevent price
print proceed process produce program promise promote pronounce propose protect protest prototype
prove provision pull pump punch punish purchase pursue push put question queue quit quote race rain
raise rank rate reach react read realise realize reassign rebase rebrand rebuild reckon recognise
recognize record recover recruit reduce refactor refer reflect reform refuse register regret
rehearse rehome reject relate relax release relocate rely remain remarry remind remove rename render
renew renovate rent repair repeat reply report represent reschedule rescue research reserve resign
respect rest restart restore result resume retire retrain return reveal reverse review reward
rewrite ride rise risk rob rock roll rotate row rub ruin rule run rush sack sail sample satisfy
scale scan scare scatter schedule score scrape scratch scream screw search secure seek select
separate serve set settle sew shake share shave shelter shift shine ship shoot shop shout shrink
shut sign signal sing sit situate skate ski skip slip slow smash smell smile smoke snow soak solve
sound spare spark specialise specialize spell spill split spoil sponsor spot spray spread squash
squeeze stain stamp stand standardize star stare start steal steer stem step stick sting stir stitch
store strap strengthen stress stretch strike strip stroke struggle stuff submit subscribe subtract
succeed suffer suit summarise summarize supervise suppose surf surprise surround suspect suspend
swap swear sweep swim switch tackle tame tap taste tease telephone tempt tend test thank thaw
threaten tick tie time tip tire tolerate touch tour tow trace trade transfer transition transpile
transport trap travel treasure treat trip trouble trust tug tumble turn tweet twist type undergo
uninstall unite unlock unpack unsubscribe update upgrade use vacate value vanish vent verify visit
vote wait wake walk warm warn wash waste water wave wed whisper whistle win wipe wish withdraw
wonder worry wrap wreck write yell yield zoom
"""
_IRREGULAR = """
agree:agreed bear:born,bore become:became,become begin:began,begun be:is,are,am,was,were,been,being
break:broke,broken bring:brought build:built buy:bought choose:chose,chosen come:came deal:dealt
do:does,did,done,doing drink:drank,drunk drive:drove,driven eat:ate,eaten fall:fell,fallen
feel:felt find:found fly:flew,flown forbid:forbade,forbidden forget:forgot,forgotten get:got,gotten
give:gave,given go:goes,went,gone,going grow:grew,grown have:has,had,having hear:heard hold:held
keep:kept know:knew,known lead:led leave:left let:let lie:lay,lain lose:lost make:made mean:meant
meet:met outgrow:outgrew,outgrown overcome:overcame,overcome oversee:oversaw,overseen pay:paid
put:put quit:quit,quitting read:read rebuild:rebuilt rewrite:rewrote,rewritten ride:rode,ridden
rise:rose,risen run:ran,run say:said see:saw,seen sell:sold send:sent set:set shut:shut
sing:sang,sung sit:sat sleep:slept speak:spoke,spoken spend:spent split:split stand:stood
swear:swore,sworn swim:swam,swum take:took,taken teach:taught tell:told think:thought
throw:threw,thrown undergo:underwent,undergone understand:understood wake:woke,woken wear:wore,worn
wed:wed win:won withdraw:withdrew,withdrawn write:wrote,written
"""
_DOUBLING = re.compile(
    r"^[^aeiou]*[aeiou][bdgklmnprt]$|(?:fer|mit|gin|get|bid|rol|cel|vel|bel|wed|swap)$"
)
"""Of one short syllable, or stressed on the last; -el doubles in British spelling."""


def _forms(verb: str) -> Iterator[str]:
    yield verb
    sibilant = re.search(r"(?:[sxz]|[cs]h|o)$", verb)
    yield re.sub(r"(?<![aeiou])y$", "ie", verb) + ("es" if sibilant else "s")
    for stem in {verb, verb + verb[-1]} if _DOUBLING.search(verb) else {verb}:
        yield (stem if stem.endswith("ee") else stem.removesuffix("e")) + "ing"
        yield re.sub(r"(?<![aeiou])y$", "i", stem.removesuffix("e")) + "ed"


def _lemmas() -> Iterator[tuple[str, str]]:
    irregular = dict(entry.split(":") for entry in _IRREGULAR.split())
    for verb in sorted({*rows.VERBS, *_MORE_VERBS.split(), *irregular}):
        for form in _forms(verb):
            yield form, verb
    for verb, forms in irregular.items():
        for form in forms.split(","):
            yield form, verb


LEMMAS: Mapping[str, str] = MappingProxyType(dict(_lemmas()) | {"found": "found", "saw": "see"})
"""Any form of a known verb and its base; "founded by" is commoner in facts than "found by"."""
_REGULAR_PAST = re.compile("[a-z]{2}(?<!e)ed$")


def lemma(word: str) -> str:
    """The base form of a verb; of an unknown one in -ed all but the ending; "" for other words."""
    known = LEMMAS.get(word, "")
    return word[:-2] if not known and _REGULAR_PAST.search(word) else known


THIRD = frozenset(form for form, verb in LEMMAS.items() if form.endswith("s") and form != verb)
PAST = frozenset(
    form
    for form, verb in LEMMAS.items()
    if form != verb and not form.endswith("ing") and form not in THIRD
) | word_set("quit let set put cut split read cost became")
PARTICIPLES = PAST | word_set("come become overcome run")
"""What may follow "has"."""
AUXILIARY = word_set(
    "am is are was were be been being has have had do does did will would shall should can could"
    " may might must"
)
PLAIN_AUXILIARY = word_set("am is are was were has have had do does did")
PAST_AUXILIARY = word_set("was were had did")
DOUBTFUL = word_set("will would shall should could may might must")
"""Auxiliaries of what is not a fact: plans, guesses, duties."""
NEGATION = word_set("not never neither nor")
ADVERBS = word_set(
    "now currently always usually often really just still already also probably finally recently"
    " only then later soon ever even first both either almost quite rather again back mostly"
    " nowadays lately once long ago eventually fully"
)
FORMERLY = word_set("formerly previously once originally")
ALSO = word_set("also too additionally besides both another")
"""What is said with these comes on top and replaces nothing."""
NOW = word_set("now nowadays currently instead again")
DETERMINERS = word_set("a an the my your his her its our their this that these those any some no")
ARTICLES = word_set("a an the")
POSSESSIVES = word_set("my our his her their its")
PREPOSITIONS = word_set(
    "about after against as at because before between but by despite during for from if in into"
    " near of on onto once or over per since so than through to toward towards under unless until"
    " via when where which while who whose whom with within without due inside across throughout"
    " alongside among"
)
STOPS = PREPOSITIONS - {"of"} | word_set("that and , instead not never named called")
"""Where a value ends."""
ENDS = STOPS - word_set("and , named called")
"""Where a list of values ends; a pet's name is part of what it is."""
SCENE_OPENERS = word_set("for in on at during when while with inside under within across")
CONJUNCTIONS = word_set("and or but nor")
REASONS = word_set("because after due since thanks so owing following despite although")
"""From here on a clause tells why or when, and no value."""
RELATIVE = word_set("that who which where whose")
PEOPLE = word_set("user i me myself we you they he she it")
PRONOUNS = word_set(
    "he she it they you this that these those there one someone somebody everyone who what which"
    " him her them"
)
PLAN_VERBS = word_set(
    "plan want hope intend consider think wish expect try propose need aim discuss explore look"
)
"""What is planned, wished or tried is no fact yet."""
STOP_VERBS = word_set("stop quit cease abandon drop")
PHASE_VERBS = word_set(
    "start begin resume decide agree choose opt elect keep continue remain get come go learn"
)
"""Before another verb they tell when it came about, and the other verb tells what."""
CHANGING_VERBS = word_set("switch transition change move turn shift return")
FREQUENCIES = word_set(
    "hourly daily nightly weekly biweekly fortnightly monthly quarterly yearly annually"
)
LIKING_VERBS = word_set("like love enjoy prefer hate dislike")
FADING_VERBS = word_set("disappear vanish resolve end expire lapse fade go heal close")
"""Of an attribute: it is no more."""
DYING = re.compile(r"\b([A-Z]\w+) (?:has |had )?(?:passed away|died)\b")
SAYING = word_set("say state mention note confirm repeat insist stress explain claim")
LOST = re.compile(
    r"\b(?:my|our|his|her|their|user's) (\w+) (?:has |had )?(?:passed away|died|was put down)\b"
)
"""The animal that somebody had."""
CHAINED = word_set("become join")
"""After "to" they tell what came of it: "left to join a start-up"."""
ORDERS = word_set("use prefer always never reply answer respond keep write run set avoid please")
_NO_ADVERBS = word_set(
    "family supply reply apply assembly anomaly monopoly butterfly remotely onsite"
)


def is_adverb(word: str) -> bool:
    is_derived = word.endswith("ly") and len(word) > 5 and word not in _NO_ADVERBS  # noqa: PLR2004
    return word in ADVERBS or is_derived


_IRREGULAR_PLURALS = {"children": "child", "people": "person", "women": "woman", "men": "man"}
PARTICLES = word_set("up out off down over away")


def singular(word: str) -> str:
    """Peanut for peanuts, allergy for allergies, box for boxes; news and bus stay."""
    if word in _IRREGULAR_PLURALS:
        return _IRREGULAR_PLURALS[word]
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is", "'s")):  # noqa: PLR2004
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ses", "xes", "zes", "ches", "shes")) else word[:-1]
