"""English pairs that were written before the rules they meet: nothing true is retired."""

from datetime import UTC, datetime, timedelta

import pytest

from hindsight_memory.core.conflict import Statement, Verdict, judge

MONDAY = datetime(2030, 1, 7, 9, tzinfo=UTC)
RETIRING = {Verdict.SUPERSEDED, Verdict.REFUTED}


def retires(old: str, new: str) -> bool:
    before = Statement(content=old, happened_at=MONDAY)
    after = Statement(content=new, happened_at=MONDAY + timedelta(days=1))
    return judge(before, after).verdict in RETIRING


NEAR = [
    ("Lena lives in Bristol.", "Lena moved to Porto last month."),
    ("The staging database runs on MySQL.", "The staging database was migrated to PostgreSQL."),
    ("User drives a Volvo.", "User sold the Volvo."),
    ("Weekly sync is at 10am.", "Weekly sync is now at 2pm."),
    ("User is a vegetarian.", "User started eating meat again."),
    ("Tomas works at Siemens.", "Tomas left Siemens to join Bosch."),
    ("Grace leads the payments team.", "Henrik took over the payments team."),
    ("The retry limit is 3.", "The retry limit was raised to 5."),
    ("User prefers tabs for indentation.", "User now prefers two spaces for indentation."),
    ("User has a parrot named Kiwi.", "User gave Kiwi away."),
    ("Rosa is engaged to Pavel.", "Rosa married Pavel in May."),
    ("User drinks two espressos a day.", "User no longer drinks espresso."),
    ("Invoices are stored in Dropbox.", "Invoices were moved to SharePoint."),
    ("The release is planned for Thursday.", "The release was postponed to Monday."),
    ("User speaks Dutch with the children.", "User stopped speaking Dutch with the children."),
    ("Our CI runs on Jenkins.", "Our CI switched to GitHub Actions."),
    ("Samir reports to Denise.", "Samir now reports to Olga."),
    ("The session timeout is 30 minutes.", "The session timeout is 45 minutes."),
    ("User subscribes to Spotify.", "User cancelled Spotify."),
    ("User is afraid of flying.", "User overcame the fear of flying."),
]
FAR = [
    (
        "Ivo maintains the billing gateway.",
        "Maintenance of the billing gateway has been handed to Ruth.",
    ),
    (
        "Dana is in charge of the intern program.",
        "Responsibility for the intern program now lies with Kofi.",
    ),
    ("Marek owned a Honda from 2010 to 2016.", "Marek bought a Volvo in 2017."),
    ("Julia got married in 2018.", "Julia's divorce was finalized in 2023."),
    ("Amir lived in Lyon from 2012 to 2015.", "Amir lived in Turin from 2015 to 2021."),
    ("User went vegan in 2020.", "User went back to eating dairy and eggs in 2023."),
    (
        "The team switched to Linear for ticket tracking in 2024.",
        "The team returned to Jira for ticket tracking in 2025.",
    ),
    (
        "Priest supervises the onboarding of suppliers.",
        "Supplier onboarding is now overseen by Mira.",
    ),
    ("User has no pets at all.", "User brought home a rescue greyhound last week."),
    ("User never uses Discord.", "User is on Discord every day now."),
    ("User does not drive.", "User got a driving licence and drives to work."),
    (
        "Nadia attended Leiden University from 2011 to 2014.",
        "Nadia studied at ETH Zurich from 2014 to 2016.",
    ),
    ("User takes the train to the office.", "User has been cycling to the office since spring."),
    ("Olek was diagnosed with asthma in 2009.", "Olek's asthma has gone into remission."),
    ("Patient K takes medication plan A.", "Patient K has been put back on medication plan C."),
    ("User rents a flat in Ghent.", "User now owns a house in Bruges."),
    ("User smokes a pack a day.", "User has been smoke-free since January."),
    ("The on-call engineer is Bea.", "On-call duty has passed from Bea to Luis."),
    (
        "Support tickets go to the Dublin office.",
        "Support tickets are now routed to the Cork office.",
    ),
    ("Hanna was married to Otto from 2001 to 2012.", "Hanna remarried in 2015, to Felix."),
]
APART = [
    (
        "Dana is in charge of the intern program.",
        "Responsibility for the summer school now lies with Kofi.",
    ),
    (
        "Ivo maintains the billing gateway.",
        "Maintenance of the search gateway has been handed to Ruth.",
    ),
    ("Marek owns a Honda.", "Marek bought a Volvo in 2017."),
    ("Marek owned a Honda from 2010 to 2016.", "Marek bought a boat in 2017."),
    ("Marek owned a house from 2010 to 2016.", "Marek bought a Volvo in 2017."),
    ("Amir lived in Lyon from 2012 to 2015.", "Amir visited Turin from 2015 to 2016."),
    ("Amir lived in Lyon from 2012 to 2015.", "Amir's sister lived in Turin from 2015 to 2021."),
    ("Amir lived in Lyon from 2016 to 2020.", "Amir lived in Turin from 2010 to 2014."),
    ("Julia got married in 2018.", "Julia's sister finalized her divorce in 2023."),
    ("Julia got married in 2018.", "Julia attended a wedding in 2023."),
    ("Julia divorced in 2015.", "Julia got married in 2012."),
    ("User switched to Ubuntu for servers in 2023.", "User switched to a standing desk in 2025."),
    ("The team uses Linear for tickets.", "The team returned to Lisbon for the offsite in 2025."),
    ("User drives a Volvo.", "User returned the rental car on Monday."),
    (
        "Nadia attended Leiden University from 2011 to 2014.",
        "Nadia lectured at ETH Zurich from 2014 to 2016.",
    ),
    ("User adopted two cats in 2021.", "User adopted a puppy in 2025."),
    ("User owns a dog named Rex.", "User adopted a cat named Tom."),
    ("User has a Netflix subscription.", "User returned to Spotify in May."),
    ("Grace leads the payments team.", "Henrik joined the payments team."),
    ("Grace leads the payments team.", "Henrik took over the payments dashboard."),
    ("User does not own a car.", "User rented a car for the weekend."),
    ("User refuses to use Slack at home.", "User started using Slack at work."),
    ("User has no pets.", "User's sister adopted a retriever."),
    ("Olek was diagnosed with asthma in 2009.", "Olek's diabetes went into remission in 2021."),
    ("Frank was diagnosed with asthma.", "Frank's brother's asthma went into remission."),
    ("The port is 80.", "Responsibility for the port now belongs to Kim."),
    (
        "Priya manages vendor onboarding for Atlas.",
        "Vendor onboarding for Borealis is now handled by Serena.",
    ),
    ("User avoids crowds.", "User hosts a podcast every week."),
    ("User is a vegan.", "User cooks fish for the cat."),
    ("User completed a marathon in 2019.", "User completed a triathlon in 2021."),
    ("Ruth used to live in Cork.", "Ruth returned to Cork for a wedding."),
    ("Henry was married to Sarah from 2005 to 2019.", "Henry met Emily in 2022."),
    ("The parser was rewritten in Rust in 2023.", "The parser returned to beta in 2024."),
    ("Ben worked at Intel from 2010 to 2015.", "Ben consulted for AMD from 2015 to 2017."),
    ("User lived in Oslo from 2015 to 2018.", "User owned a flat in Bergen from 2018 to 2020."),
    ("Responsibility for releases belongs to Kim.", "Responsibility for hotfixes belongs to Jo."),
    ("Emma bought a Ford in 2012.", "Emma sold a Mazda in 2014."),
    ("Tim adopted a beagle in 2015.", "Tim adopted a poodle in 2018."),
    ("User started eating fish in 2021.", "User returned to a strict training plan in 2024."),
    ("Leadership of the choir passed to Ada.", "Leadership of the orchestra passed to Bo."),
]


@pytest.mark.parametrize(("old", "new"), APART)
def test_what_only_looks_like_an_update_stands_beside(old: str, new: str) -> None:
    assert not retires(old, new)


def test_most_updates_in_usual_words_and_some_in_others_are_seen() -> None:
    assert sum(retires(*pair) for pair in NEAR) == 18
    assert sum(retires(*pair) for pair in FAR) == 7
