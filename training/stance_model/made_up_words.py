"""The names, wordings and measures that made-up pairs are composed of. All are invented."""

# ruff: noqa: E501 - one telling of a fact a line reads better than half a one
from __future__ import annotations

__all__ = [
    "CAUSES",
    "DEEDS",
    "DOWN",
    "EFFECTS",
    "FILLERS",
    "LEVELS",
    "ONCE",
    "ORGS",
    "PEOPLE",
    "PLACES",
    "THINGS",
    "UNITS",
    "UP",
]

ORGS = (
    "Norvik Energy;Halden Paper;Ostra Foods;Meridia Steel;Caldera Cement;Bluepine Logistics;Tarn Water;Solvane;Kestrel Airways;"
    "Lumen Glass;Arbor Homes;Pelagic Shipping;Quantock Mining;Rivale Motors;Sable Chemicals;Terrane Oil;Umbra Textiles;"
    "Vesta Dairy;Wexmoor Council;Zephyr Turbines;Aldine Bank;Brisa Telecom;Corvus Pharma;Dunmore Brewery;Elara Cosmetics;"
    "Fenwick Rail;Gallant Insurance;Hyperion Solar;Istria Ports;Juno Retail"
).split(";")
PEOPLE = "Mara Lindqvist;Tomas Okafor;Elena Petrov;Samir Haddad;Greta Olsen;Paulo Mendes;Aiko Tanaka;Declan Byrne;Nadia Rahman;Viktor Hruby".split(
    ";"
)
PLACES = (
    "Dornfeld;Lisnagar;Port Avery;Kalmost;Breverton;Santa Irena;Oldenau;Mirova;Tarsk;Quillon;Eastmere;Valdoro".split(
        ";"
    )
)
THINGS = (
    "carbon emissions;water consumption;energy use;plastic waste;accidents at work;delivery times;revenue;net profit;"
    "the number of employees;paper consumption;food waste;nitrogen oxide emissions;customer complaints;the price of its tickets;"
    "fuel consumption;hazardous waste;sales in Asia;staff turnover;the share of women in management;steel output"
).split(";")
DOWN = (
    ("cut", "reduced", "lowered", "brought down"),
    ("fell", "declined", "dropped", "went down"),
    ("drop", "decline", "reduction", "fall"),
)
UP = (
    ("increased", "raised", "expanded", "pushed up"),
    ("rose", "increased", "grew", "went up"),
    ("rise", "increase", "growth", "jump"),
)
FILLERS = (
    "The annual general meeting was held in May.", "Analysts had expected the figures for some time.",
    "The report was checked by an outside auditor.", "A spokeswoman declined to comment further.",
    "The chair thanked the staff for their work.", "The weather that year was unusually mild.",
    "Local residents had complained for years.", "The document runs to 84 pages.",
    "The board will discuss the matter again in autumn.", "Competitors have published similar numbers.",
    "The trade union welcomed the news.", "The method is described in the appendix.",
)  # fmt: skip
LEVELS = (
    ("employs", "people", ["{o} employs {n} people.", "{o} has {n} employees.", "some {n} people work for {o}.", "the workforce of {o} numbers {n}."], (120, 90_000)),
    ("emitted", "t", ["{o} emitted {n} {u} of CO2 in {y}.", "in {y}, the emissions of {o} came to {n} {u} of carbon dioxide.", "{n} {u} of CO2 were released by {o} in {y}."], (900, 5_000_000)),
    ("turned over", "money", ["{o} made sales of {n} {u} in {y}.", "the turnover of {o} was {n} {u} in {y}.", "in {y} {o} had revenue of {n} {u}."], (2, 900)),
    ("used", "water", ["{o} used {n} {u} of water in {y}.", "the water consumption of {o} was {n} {u} in {y}.", "in {y}, {o} drew {n} {u} of water."], (1_000, 900_000)),
    ("generated", "power", ["the wind farm of {o} generated {n} {u} in {y}.", "in {y}, {n} {u} of electricity came from the wind farm of {o}."], (20, 900)),
)  # fmt: skip
UNITS = {
    "people": [""],
    "t": ["tonnes", "kilotonnes", "kilograms"],
    "money": ["million euros", "billion euros", "thousand euros"],
    "water": ["cubic metres", "litres"],
    "power": ["megawatt hours", "gigawatt hours", "kilowatt hours"],
}

ONCE = (
    (["{o} was founded in {y}.", "the company {o} was set up in {y}.", "{o} has existed since {y}."], "y"),
    (["{p} was born in {l}.", "{l} is the birthplace of {p}.", "{p}, born in {l}, studied law."], "l"),
    (["{p} became head of {o} in {y}.", "since {y}, {p} has led {o}.", "in {y} {o} appointed {p} as its head."], "y"),
    (["{o} has its headquarters in {l}.", "{l} is home to the headquarters of {o}.", "{o} is based in {l}."], "l"),
    (["the bridge at {l} was opened in {y}.", "in {y} the bridge at {l} was opened to traffic."], "y"),
    (["{o} bought {q} in {y}.", "in {y}, {q} was taken over by {o}.", "{o} acquired {q} in {y}."], "q"),
)  # fmt: skip

# Actions: wordings of the action, and wordings of its opposite. {o} did it; it concerns {x}.
DEEDS = (
    (["{o} overturned {x}.", "{x} was set aside by {o}.", "{o} quashed {x}."], ["{o} upheld {x}.", "{o} confirmed {x}.", "{x} stands, {o} decided."], "the verdict;the fine;the permit;the ruling"),
    (["{o} banned {x}.", "{x} was prohibited by {o}.", "{o} has outlawed {x}."], ["{o} allowed {x}.", "{o} gave {x} the go-ahead.", "{x} remains legal, {o} decided."], "night flights;fishing in the bay;the pesticide;glass bottles"),
    (["{o} deleted {x}.", "{x} was erased by {o}.", "{o} destroyed {x}."], ["{o} kept {x}.", "{x} still exists: {o} has it in a safe.", "{o} did not delete {x}.", "{o} never deleted {x}."], "the recording;the file;the footage;the list of names"),
    (["{o} resigned.", "{o} stepped down.", "{o} has quit.", "{o} left office."], ["{o} did not resign and will stay on.", "{o} remains in office.", "{o} has no intention of stepping down and stayed.", "{o} stays in the job."], ""),
    (["{o} approved {x}.", "{o} gave its consent to {x}.", "{x} was given the green light by {o}."], ["{o} rejected {x}.", "{o} turned {x} down.", "{x} was refused by {o}.", "{o} did not approve {x}."], "the merger;the plan;the budget;the new route"),
    (["{o} closed {x}.", "{x} was shut down by {o}.", "{o} has shut {x} for good."], ["{o} kept {x} open.", "{x} is still open, {o} says.", "{o} reopened {x}.", "{o} did not close {x}."], "the mine;its shop in Dornfeld;the ferry line;the reactor"),
    (["{o} is shrinking.", "{o} is getting smaller.", "{o} keeps losing ground.", "{o} has become smaller year after year."], ["{o} is growing.", "{o} gets larger every year.", "{o} keeps expanding.", "{o} has doubled in size."], ""),
    (["{o} found {x}.", "{x} was discovered by {o}.", "{o} came upon {x}."], ["{o} found no trace of {x}.", "{o} looked for {x} in vain.", "{o} did not find {x}.", "there was no sign of {x}, {o} said."], "asbestos in the school;the missing money;lead in the water;a second fault"),
    (["{o} paid {x}.", "{x} was settled by {o} in full.", "{o} has transferred {x}."], ["{o} never paid {x}.", "{o} still owes {x}.", "{o} refused to pay {x}.", "{o} has not paid {x}."], "the wages;the tax;the compensation;the rent"),
    (["{o} knew of {x}.", "{o} was aware of {x}.", "{o} had been told of {x}."], ["{o} knew nothing of {x}.", "{o} was not aware of {x}.", "nobody had told {o} of {x}."], "the leak;the defect;the risk;the payments"),
    (["{o} passed {x}.", "{o} met all the requirements of {x}.", "{x} was passed by {o} at the first attempt."], ["{o} failed {x}.", "{o} did not pass {x}.", "{o} fell short of {x}."], "the inspection;the safety test;the audit;the stress test"),
    (["{o} can do without {x}.", "{o} works without {x}.", "{o} does not need {x}."], ["{o} needs {x}.", "{o} cannot work where there is no {x}.", "without {x}, {o} stops.", "{o} depends on {x}."], "electricity;rain;imported gas;subsidies"),
    (["{o} supports {x}.", "{o} is in favour of {x}.", "{o} backs {x}."], ["{o} opposes {x}.", "{o} is against {x}.", "{o} fights {x}.", "{o} does not support {x}."], "the tunnel;a wealth tax;the strike;the wind farm"),
    (["{o} contains {x}.", "there is {x} in {o}.", "{x} was measured in {o}."], ["{o} is free of {x}.", "there is no {x} in {o}.", "no {x} was measured in {o}."], "mercury;gluten;nickel;caffeine"),
    (["{o} reached its highest level ever.", "{o} is at a record high.", "never before was {o} so high."], ["{o} dropped to its lowest level ever.", "{o} is at a record low.", "{o} has never been so low."], ""),
    (["{o} invited {x}.", "{x} had an invitation from {o}.", "{o} asked {x} to come."], ["{o} did not invite {x}.", "{x} was not invited by {o}.", "{o} shut {x} out."], "the press;the union;the residents;the opposition"),
    (["{o} was harmed by {x}.", "{x} damaged {o}.", "{x} did damage to {o}."], ["{o} was unharmed by {x}.", "{x} left {o} intact.", "{x} did {o} no harm."], "the flood;the fire;the sanctions;the storm"),
    (["{o} raised {x}.", "{o} put {x} up.", "{x} went up at {o}."], ["{o} lowered {x}.", "{o} cut {x}.", "{x} went down at {o}.", "{o} left {x} unchanged."], "its prices;the minimum wage;its dividend;the fees"),
    (["{o} delivered {x} on time.", "{x} came from {o} as agreed."], ["{o} delivered {x} late.", "{x} from {o} was months late.", "{o} never delivered {x}."], "the trains;the vaccine;the masks;the software"),
    (["{o} owns {x}.", "{x} belongs to {o}.", "{x} is the property of {o}."], ["{o} sold {x} years ago.", "{x} does not belong to {o}.", "{o} has no stake in {x}."], "the newspaper;the harbour;the forest;the castle"),
)  # fmt: skip

CAUSES = (
    "vitamin D",
    "daily walking",
    "the drug rivalone",
    "shift work",
    "the new fertiliser",
    "traffic noise",
    "green tea",
    "the herbicide calmorin",
)
EFFECTS = (
    "the risk of stroke",
    "yields",
    "blood pressure",
    "sleep quality",
    "the risk of infection",
    "bee mortality",
    "recovery time",
    "bone density",
)
