"""English nouns that tell how a phrase is read: roles, fields of work, times, circumstances."""

from hindsight_memory.core.conflict.vocabulary import word_set

CLASSIFIERS = word_set(
    "city town state country continent region sport language religion field position name"
)
"""In "the city of London" they say what kind of thing the name is."""
WIDE = word_set("continent country region state")
"""What a place in one of them says is no contradiction to a place in a narrower one."""

TRANSFERS = word_set("switch move migrate change rename set transfer update convert shift port")
"""With an object: "moved the release notes to Notion" gives the release notes a new place."""
PLACING = word_set("store keep put host save track file")
"""With an object and "in": "stores exports in the vault"."""
WITHOUT_SCENE = word_set(
    "residence employer job name marital_status birthplace birthday place_of_death citizenship"
    " founder author manager team school volunteering household vehicle pet"
)
"""Of these no circumstance limits the value: "lives in Oslo with two cats" is where, always."""
SOMEWHERE = word_set("residence employer location school")
"""Their value has to be a name, or something that a place or an organisation is called."""
NOWHERE = word_set("living while moment time past fear peace free night home hour day pay")
"""Not so in "works for a living", "lives in the past"."""

JOB = word_set("job position role professorship offer contract post internship fellowship")
"""What is accepted with a work place."""
ROLES = word_set(
    "ceo cto cfo coo vp president director manager lead leader head chair chairman chairperson"
    " dean owner founder maintainer coach captain editor principal minister mayor governor senator"
    " chancellor boss supervisor coordinator spokesperson secretary treasurer ambassador king queen"
)
"""Of these a body has one at a time, by the name of the role."""
PROFESSIONS = ROLES | word_set(
    "accountant actor actress analyst architect artist assistant attorney baker banker barista"
    " carpenter chef chemist clerk consultant cook counselor dentist designer developer doctor"
    " driver economist electrician engineer farmer firefighter freelancer gardener journalist judge"
    " lawyer lecturer librarian machinist mechanic model musician neurosurgeon nurse officer"
    " painter pediatrician pharmacist philosopher photographer physician pilot plumber policeman"
    " politician professor programmer psychologist quant researcher sailor salesperson scientist"
    " sculptor soldier surgeon teacher technician therapist trader translator tutor veterinarian"
    " waiter waitress writer strategist student"
)
TASKS = word_set("owner maintainer lead leader head coach captain supervisor coordinator")
"""Roles in a project or a team, which need not be the employer."""
FIELDS = word_set(
    "medicine law finance engineering teaching research management consulting marketing design"
    " sales academia education journalism nursing banking science politics programming"
)
WORKPLACES = word_set(
    "company startup start-up firm lab laboratory bank hospital clinic university college school"
    " agency corporation newspaper ministry restaurant bakery studio nonprofit"
)
"""Who joins one of these works there; who joins a group may not."""
CLUBS = word_set(
    "gym club choir band church community call meeting waitlist class course army navy party union"
    " program forum server chat league chapter committee list queue event"
)
"""What one joins without working there."""
DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday weekend weekday")
TIMES = DAYS | word_set(
    "january february march april may june july august september october november december noon"
    " midnight morning afternoon evening night tomorrow week month"
)
QUALIFIERS = word_set(
    "default main primary backup secondary preferred favorite favourite work home personal"
)
"""Belong to the attribute: the default branch is not the branch of a default."""
DUTIES = word_set(
    "responsibility ownership leadership management maintenance oversight supervision coordination"
    " stewardship charge"
)
"""What somebody has who answers for a thing: given to another, it gives the thing another owner."""
LABELLED = word_set(
    "plan schedule regimen protocol program programme package tier mode level group shift profile"
    " setup configuration version edition model variant option track route line course stage phase"
)
"""What is told from others of its sort by the word after it: plan B."""
CONTRACTS = word_set("subscription membership account license plan lease contract")
"""Ended, they end what they are for: a Netflix subscription, Netflix."""
LAPSES = word_set("expire lapse go end")
BOUNDS = word_set("start begin open close end finish wake get shut")
"""What has one of these has one time for it; trains stop, and buses leave, at many."""
RECURRENT = DAYS | word_set(
    "morning afternoon evening night noon midnight week spring summer autumn fall winter season"
    " holiday vacation term semester month"
)
"""A part of the time: who is in Rome on weekends lives in Paris for the rest."""
UNIVERSAL = word_set("all every everything everywhere everyone any default general always")
"""A circumstance with one of these is none."""
NO_SCENE = word_set(
    "reason sake purpose climate year month week today opportunity good moment while time long now"
    " yesterday last this next same cost budget"
)
"""Heads of a phrase that tells why or when, and limits nothing."""
