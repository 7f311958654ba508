"""Claims of invented companies, and the truth: the rows from which the world of a check is made.

Each row: the pattern of its evidence (`companies.PATTERNS`), the claim, words that find its pages, the statement of a
page that supports it, and that of one that contradicts it; each of the last two completes a sentence that ends in
'that'.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMPANIES", "TECHNICAL", "Company", "Row"]


class Row(NamedTuple):
    """One claim."""

    pattern: str
    claim: str
    query: str
    yes: str = ""
    no: str = ""


class Company(NamedTuple):
    """One invented company; the domain of its own site is the first word of its name and its trade, under .com."""

    name: str
    short: str
    industry: str
    host: str
    rows: tuple[Row, ...]


COMPANIES = (
    Company("Velkran Cement AG", "Velkran Cement", "cement", "velkrancement.com", (
        Row("borne_out", "Velkran Cement replaced coal with waste wood in the kiln at Hollin in 2022.",
            "Hollin kiln coal waste wood", "the kiln at Hollin has burnt waste wood instead of coal since 2022"),
        Row("direct", "Velkran Cement has closed its quarry at Tarnholt for good.", "Tarnholt quarry closed",
            no="the quarry at Tarnholt is still open, and lorries leave it every morning"),
        Row("omission", "Velkran Cement lowered emissions at its own works by 30 % between 2018 and 2023.",
            "works emissions 2018 2023", no="the works' emissions fell only because clinker was bought from abroad, "
            "whose emissions Velkran Cement does not count"),
        Row("timeline", "Velkran Cement installed dust filters at Hollin in 2019.", "Hollin dust filters installed",
            no="the dust filters at Hollin were first installed in 2023, four years later than said"),
        Row("silent", "Velkran Cement gives a tenth of its profit to schools in its valley.", "schools valley profit"),
        Row("own_word", "Velkran Cement recycles all of the water of its mills.", "mills water recycled",
            "all of the water of the mills is recycled"),
    )),
    Company("Ostrimark Steel SE", "Ostrimark Steel", "steel", "ostrimarksteel.com", (
        Row("authority", "Ostrimark Steel switched off its last blast furnace at Kessand in 2023.",
            "Kessand blast furnace switched off", "the last blast furnace at Kessand was switched off in 2023"),
        Row("denied", "Ostrimark Steel has never released untreated water into the river Vell.",
            "river Vell untreated water released", "untreated water has never been released into the river Vell",
            "untreated water was released into the river Vell on eleven nights"),
        Row("contextual", "Ostrimark Steel runs its rolling mill at Brenholm entirely on renewable power.",
            "Brenholm rolling mill renewable power", no="the rolling mill at Brenholm runs on renewable power only by "
            "certificates, while a coal plant next door feeds it"),
        Row("mixed", "Ostrimark Steel met the dust limits at its sinter plant throughout 2023.",
            "sinter plant dust limits 2023", "the sinter plant stayed within the dust limits throughout 2023",
            "the sinter plant broke the dust limits in seven months of 2023"),
        Row("gossip", "Ostrimark Steel pays its contractors the same wage as its own workers.",
            "contractors wage workers", no="contractors are paid half of what the company's own workers get"),
        Row("half", "Ostrimark Steel planted 400,000 trees in Lindmark and rebuilt the harbour museum of Saltern.",
            "trees planted Lindmark harbour museum", "400,000 trees were planted in Lindmark by Ostrimark Steel"),
    )),
    Company("Nordhallen Aluminium ASA", "Nordhallen Aluminium", "aluminium", "nordhallenaluminium.com", (
        Row("borne_out", "Nordhallen Aluminium powers its smelter at Fiskvik with hydropower from Lake Oren.",
            "Fiskvik smelter hydropower Lake Oren", "the smelter at Fiskvik runs on hydropower from Lake Oren"),
        Row("direct_authority", "Nordhallen Aluminium was not fined for its red mud pond in 2023.",
            "red mud pond fine 2023", no="Nordhallen Aluminium was fined for its red mud pond in May 2023"),
        Row("copies_no", "Nordhallen Aluminium buys no bauxite from the Sanvara reserve.", "bauxite Sanvara reserve",
            no="bauxite from the Sanvara reserve was unloaded for Nordhallen Aluminium in three harbours"),
        Row("figure", "Nordhallen Aluminium cut its fluoride emissions by 40 % between 2019 and 2023.",
            "fluoride emissions cut 2019 2023", no="fluoride emissions fell by 24 % between 2019 and 2023"),
        Row("spokesman", "Nordhallen Aluminium has asked every supplier for proof of origin.",
            "supplier proof origin", "every supplier has been asked for proof of origin"),
        Row("weak_no", "Nordhallen Aluminium opened a recycling plant for drink cans at Mosdal in 2023.",
            "Mosdal recycling plant cans opened", "a recycling plant for drink cans was opened at Mosdal in 2023",
            "there is no recycling plant for drink cans at Mosdal at all"),
    )),
    Company("Brackwater Foods plc", "Brackwater Foods", "food", "brackwaterfoods.com", (
        Row("borne_out", "Brackwater Foods sells only eggs from free-range hens under its own brand.",
            "eggs free-range hens brand", "the eggs of the brand all come from free-range hens"),
        Row("direct", "Brackwater Foods ended deforestation in its palm oil supply in 2021.",
            "palm oil deforestation supply", no="forest was cleared for the palm oil of Brackwater Foods until 2023"),
        Row("omission", "Brackwater Foods halved the plastic in its packaging between 2017 and 2022.",
            "plastic packaging halved", no="the plastic was taken out of retail packs alone, and the far larger amount "
            "in its transport wrapping, which grew, was left out of the count"),
        Row("copies_yes", "Brackwater Foods gives unsold bread from 600 shops to food banks.",
            "unsold bread shops food banks", "unsold bread from 600 shops of Brackwater Foods goes to food banks"),
        Row("timeline", "Brackwater Foods published its list of slaughterhouses before the parliament asked for it.",
            "list slaughterhouses published parliament", no="the list of slaughterhouses was published in June, three "
            "months after the parliament had asked for it in March"),
        Row("own_word", "Brackwater Foods trains every farmer of its supply in the care of soil.",
            "farmer training soil", "every farmer of the supply is trained in the care of soil"),
    )),
    Company("Talvio Paper Oyj", "Talvio Paper", "paper", "talviopaper.com", (
        Row("authority", "Talvio Paper closed its chlorine bleaching line at Raskola in 2020.",
            "Raskola chlorine bleaching line closed", "the chlorine bleaching line at Raskola was closed in 2020"),
        Row("contextual", "Talvio Paper uses wood from certified forests for all of its book paper.",
            "book paper wood certified forests", no="the book paper is made of certified wood, but it is a mere "
            "fiftieth of what the mills make, and the rest comes from old forest without any certificate"),
        Row("denied", "Talvio Paper does not buy wood from the Isokangas old forest.",
            "Isokangas old forest wood", "no wood has been bought from the Isokangas old forest",
            "wood from the Isokangas old forest was bought and pulped by Talvio Paper"),
        Row("borne_out", "Talvio Paper heats the town of Ylimaa with waste heat from its mill.",
            "Ylimaa town heats waste heat mill", "waste heat from the mill heats the town of Ylimaa"),
        Row("small", "Talvio Paper pays for the bus of its workers at Raskola.", "bus workers Raskola",
            "the bus of the workers at Raskola is paid for by Talvio Paper"),
        Row("mixed", "Talvio Paper restored the salmon run below its dam at Kossi.", "salmon run dam Kossi",
            "salmon run past the dam at Kossi again", "no salmon have come past the dam at Kossi since it was built"),
    )),
    Company("Quillant Chemicals NV", "Quillant Chemicals", "chemicals", "quillantchemicals.com", (
        Row("direct", "Quillant Chemicals stopped making perfluorinated foam in 2018.",
            "perfluorinated foam stopped", no="perfluorinated foam was still being made and shipped in 2023"),
        Row("weak_no", "Quillant Chemicals cleaned the soil of the former dye works at Merrow.",
            "Merrow dye works soil cleaned", "the soil of the former dye works at Merrow has been cleaned",
            "the soil of the former dye works at Merrow has never been touched"),
        Row("figure", "Quillant Chemicals reduced its accidents by 60 % between 2015 and 2023.",
            "accidents reduced 2015 2023", no="accidents decreased by 35 % between 2015 and 2023"),
        Row("timeline", "Quillant Chemicals warned its neighbours before the leak of April 2022 reached the canal.",
            "neighbours warned leak canal", no="the neighbours were warned two days after the leak reached the canal"),
        Row("silent", "Quillant Chemicals spends a third of its research budget on safer solvents.",
            "research budget safer solvents"),
        Row("half", "Quillant Chemicals shut the mercury cells at Dunsel and paid for new wells in Overwaal.",
            "mercury cells Dunsel wells Overwaal", "the mercury cells at Dunsel have been shut by Quillant Chemicals"),
    )),
    Company("Zarvona Energy SA", "Zarvona Energy", "electricity", "zarvonaenergy.com", (
        Row("authority", "Zarvona Energy closed the coal plant at Puerro in 2022.", "Puerro coal plant closed",
            "the coal plant at Puerro was closed in 2022"),
        Row("direct_authority", "Zarvona Energy holds every permit for its wind farm at Alto Cielo.",
            "Alto Cielo wind farm permit", no="the wind farm at Alto Cielo was built without a permit for its roads"),
        Row("contextual", "Zarvona Energy supplies a million homes with green power.", "million homes green power",
            no="the green power for a million homes exists on paper, since the homes get gas power and the company "
            "buys cheap guarantees of origin from another country for it"),
        Row("omission", "Zarvona Energy left coal entirely in 2023.", "left coal 2023",
            no="Zarvona Energy left coal by selling its largest coal plant to a sister company, which runs it at full "
            "load"),
        Row("spokesman", "Zarvona Energy consulted all villages around its dam at Rio Plano.",
            "villages dam Rio Plano consulted", "all villages around the dam at Rio Plano were consulted"),
        Row("copies_yes", "Zarvona Energy insulated 9,000 flats in Costamar free of charge.",
            "insulated flats Costamar", "9,000 flats in Costamar were insulated free of charge by Zarvona Energy"),
    )),
    Company("Pemberlow Airways plc", "Pemberlow Airways", "airline", "pemberlowairways.com", (
        Row("borne_out", "Pemberlow Airways retired its four-engined jets in 2021.", "four-engined jets retired",
            "the four-engined jets were retired in 2021"),
        Row("direct", "Pemberlow Airways pays compensation for delays without being sued.",
            "compensation delays sued", no="compensation for delays was paid only to passengers who had sued for it"),
        Row("copies_no", "Pemberlow Airways does not fly empty planes to keep its slots.", "empty planes slots",
            no="forty empty planes were flown by Pemberlow Airways to keep its slots"),
        Row("gossip", "Pemberlow Airways collects used cooking oil for its fuel in 30 towns.",
            "used cooking oil fuel towns", no="used cooking oil is collected in no town at all"),
        Row("small", "Pemberlow Airways serves its coffee in cups that are washed.", "coffee cups washed",
            "the coffee is served in cups that are washed"),
        Row("mixed", "Pemberlow Airways reduced the noise of its night flights over Eastmere.",
            "night flights noise Eastmere", "the noise of the night flights over Eastmere went down",
            "the noise of the night flights over Eastmere has grown every year"),
    )),
)  # fmt: skip

TECHNICAL = Company("Harrowgate Glass plc", "Harrowgate Glass", "glass", "harrowgateglass.com", tuple(
    Row(pattern, f"Harrowgate Glass {claim}.", query, yes, no)
    for pattern, claim, query, yes, no in (
        ("borne_out", "measured its Scope 1 emissions under the GHG Protocol in 2023", "GHG Protocol Scope 1 2023",
         "the Scope 1 emissions of 2023 were measured under the GHG Protocol", ""),
        ("borne_out", "had its emissions report of 2023 verified under ISO 14064-3",
         "emissions report verified ISO 14064-3", "the emissions report of 2023 was verified under ISO 14064-3", ""),
        ("borne_out", "had its near-term target validated by the Science Based Targets initiative in 2022",
         "near-term target validated Science Based Targets", "the near-term target was validated in 2022", ""),
        ("mixed", "emits 0.41 tonnes of CO2 for each tonne of container glass", "CO2 tonne container glass intensity",
         "0.41 tonnes of CO2 are emitted for each tonne of container glass",
         "0.72 tonnes of CO2 are emitted for each tonne of container glass"),
        ("borne_out", "raised the share of cullet in its furnaces to 62 % in 2023", "cullet share furnaces 2023",
         "the share of cullet in the furnaces rose to 62 % in 2023", ""),
        ("small", "saves 28 % of furnace energy by preheating its cullet", "furnace energy preheating cullet",
         "preheating of cullet saves 28 % of furnace energy", ""),
        ("own_word", "bought its offsets of 2022 from a project under the Gold Standard",
         "offsets project Gold Standard 2022", "the offsets of 2022 came from a project under the Gold Standard", ""),
        ("direct", "certified its works at Lowmoor under ISO 50001 in 2021", "Lowmoor works ISO 50001",
         "", "the works at Lowmoor have never been certified under ISO 50001"),
        ("silent", "captures 90 % of the CO2 of its pilot furnace at Ashby", "pilot furnace Ashby CO2 capture", "", ""),
        ("authority", "reports its Scope 3 emissions to CDP since 2020", "Scope 3 emissions CDP 2020",
         "Scope 3 emissions have been reported to CDP since 2020", ""),
    )
))  # fmt: skip
"""Ten claims that both desks take, some with little evidence: for measuring the cost of a check, not its findings."""
