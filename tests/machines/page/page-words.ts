import type { Language } from '../../../src/views/language/languages.ts';

/** The words of the pages about machines, as far as they are not a machine's own. */
export interface PageWords {
  readonly title: string;
  readonly intro: string;
  readonly language: string;
  readonly skip: string;
  readonly contents: string;
  readonly allMachines: string;
  readonly search: string;
  readonly searchHelp: string;
  /** With `{count}`. */
  readonly found: { readonly one: string; readonly other: string };
  readonly nothingFound: string;
  readonly actorTree: string;
  readonly actorTreeHelp: string;
  readonly byPage: string;
  readonly spawned: string;
  readonly drawing: string;
  readonly drawingHelp: string;
  readonly wholeDrawing: string;
  readonly states: string;
  readonly events: string;
  readonly guards: string;
  readonly delays: string;
  readonly ports: string;
  readonly portsHelp: string;
  readonly paths: string;
  readonly pathsHelp: string;
  readonly tests: string;
  readonly source: string;
  readonly transitions: string;
  readonly name: string;
  readonly meaning: string;
  readonly where: string;
  readonly value: string;
  readonly filledBy: string;
  readonly builtIn: string;
  readonly otherMachine: string;
  readonly cause: string;
  readonly condition: string;
  readonly leadsTo: string;
  readonly does: string;
  readonly walkedBy: string;
  readonly definition: string;
  readonly workedOut: string;
  readonly runsHere: string;
  readonly onEntry: string;
  readonly onExit: string;
  readonly kinds: {
    readonly compound: string;
    readonly parallel: string;
    readonly final: string;
    readonly initial: string;
  };
  readonly stays: string;
  readonly refused: string;
  readonly otherwise: string;
  readonly always: string;
  readonly finished: string;
  /** With `{delay}`. */
  readonly after: string;
  readonly step: string;
  readonly happens: string;
  readonly expected: string;
  /** Before the situation in which a path begins. */
  readonly begin: string;
  readonly nothingYet: string;
}

export const pageWords: Readonly<Record<Language, PageWords>> = {
  sv: {
    title: 'Maskinerna i Dentarium',
    intro:
      'En maskin säger vad som får hända, och när. Här finns varje maskin i produkten så som den är: bild, lägen, händelser, villkor, tider, portar och de vägar som testerna går.',
    language: 'Språk',
    skip: 'Till innehållet',
    contents: 'Innehåll',
    allMachines: 'Alla maskiner',
    search: 'Sök',
    searchHelp: 'Lägen, händelser, villkor, tider, portar och vägar i alla maskiner. Snabbtangent: /',
    found: { one: '{count} träff', other: '{count} träffar' },
    nothingFound: 'Inget hittades',
    actorTree: 'Vem som startar vem',
    actorTreeHelp: 'En maskin lever så länge som den som startade den är i det läge som står vid namnet.',
    byPage: 'startas av den sida som visar den',
    spawned: 'en för varje',
    drawing: 'Bild',
    drawingHelp:
      'En ruta är ett läge, en rad i den är något som kan hända där, och pilen visar vart det leder. ● är där det börjar, ◉ är ett slut. Inom hakparentes står villkoret; av flera rader om samma sak gäller den första vars villkor är uppfyllt.',
    wholeDrawing: 'Hela bilden',
    states: 'Lägen',
    events: 'Händelser',
    guards: 'Villkor',
    delays: 'Tider',
    ports: 'Portar',
    portsHelp: 'En port är arbete utanför maskinen: den namnger det, produkten fyller den.',
    paths: 'Vägar',
    pathsHelp:
      'Tillsammans går vägarna alla övergångar. Numret görs av stegen och ändras inte när andra vägar kommer till.',
    tests: 'Tester',
    source: 'Källkod',
    transitions: 'Övergångar',
    name: 'Namn',
    meaning: 'Betydelse',
    where: 'Var',
    value: 'Värde',
    filledBy: 'Fylls av',
    builtIn: 'finns i maskinen själv',
    otherMachine: 'en annan maskin',
    cause: 'Det som händer',
    condition: 'Villkor',
    leadsTo: 'Leder till',
    does: 'Gör',
    walkedBy: 'Vägar',
    definition: 'Så här avgörs det',
    workedOut: 'räknas ut; till exempel',
    runsHere: 'Arbetar här',
    onEntry: 'När man kommer hit',
    onExit: 'När man går härifrån',
    kinds: {
      compound: 'har lägen i sig',
      parallel: 'allt i det pågår samtidigt',
      final: 'slut',
      initial: 'början',
    },
    stays: 'stannar kvar',
    refused: 'avvisas här',
    otherwise: 'annars',
    always: 'genast',
    finished: 'allt i det är klart',
    after: 'efter {delay}',
    step: 'Steg',
    happens: 'Det som händer',
    expected: 'Förväntat läge',
    begin: 'Utgångsläge',
    nothingYet: 'Ingenting har hänt ännu',
  },
  en: {
    title: 'The machines of Dentarium',
    intro:
      'A machine says what may happen, and when. Every machine of the product is here as it is: its drawing, states, events, conditions, delays, ports, and the paths that the tests walk.',
    language: 'Language',
    skip: 'To the content',
    contents: 'Contents',
    allMachines: 'All machines',
    search: 'Search',
    searchHelp: 'States, events, conditions, delays, ports and paths of all machines. Shortcut: /',
    found: { one: '{count} hit', other: '{count} hits' },
    nothingFound: 'Nothing was found',
    actorTree: 'Who starts whom',
    actorTreeHelp: 'A machine lives for as long as the one that started it is in the state beside its name.',
    byPage: 'started by the page that shows it',
    spawned: 'one for each',
    drawing: 'Drawing',
    drawingHelp:
      'A box is a state, a line in it is something that can happen there, and the arrow shows where that leads. ● is where it begins, ◉ is an end. The condition stands in square brackets; of several lines about one thing, the first whose condition holds is taken.',
    wholeDrawing: 'Whole drawing',
    states: 'States',
    events: 'Events',
    guards: 'Conditions',
    delays: 'Delays',
    ports: 'Ports',
    portsHelp: 'A port is work outside of the machine: the machine names it, the product fills it.',
    paths: 'Paths',
    pathsHelp:
      'Together the paths take every transition. A number is made from the steps, and stays when other paths come.',
    tests: 'Tests',
    source: 'Source',
    transitions: 'Transitions',
    name: 'Name',
    meaning: 'Meaning',
    where: 'Where',
    value: 'Value',
    filledBy: 'Filled by',
    builtIn: 'part of the machine itself',
    otherMachine: 'another machine',
    cause: 'What happens',
    condition: 'Condition',
    leadsTo: 'Leads to',
    does: 'Does',
    walkedBy: 'Paths',
    definition: 'How it is decided',
    workedOut: 'worked out; for example',
    runsHere: 'Works here',
    onEntry: 'On arrival',
    onExit: 'On leaving',
    kinds: {
      compound: 'has states inside',
      parallel: 'all inside goes on at once',
      final: 'end',
      initial: 'beginning',
    },
    stays: 'stays',
    refused: 'refused here',
    otherwise: 'otherwise',
    always: 'at once',
    finished: 'all inside is done',
    after: 'after {delay}',
    step: 'Step',
    happens: 'What happens',
    expected: 'Expected state',
    begin: 'Situation',
    nothingYet: 'Nothing has happened yet',
  },
  da: {
    title: 'Maskinerne i Dentarium',
    intro:
      'En maskine siger, hvad der må ske, og hvornår. Her findes hver maskine i produktet, som den er: billede, tilstande, hændelser, betingelser, tider, porte og de veje, som testene går.',
    language: 'Sprog',
    skip: 'Til indholdet',
    contents: 'Indhold',
    allMachines: 'Alle maskiner',
    search: 'Søg',
    searchHelp: 'Tilstande, hændelser, betingelser, tider, porte og veje i alle maskiner. Genvejstast: /',
    found: { one: '{count} fundet', other: '{count} fundet' },
    nothingFound: 'Intet blev fundet',
    actorTree: 'Hvem der starter hvem',
    actorTreeHelp: 'En maskine lever, så længe den, der startede den, er i den tilstand, som står ved navnet.',
    byPage: 'startes af den side, der viser den',
    spawned: 'én for hver',
    drawing: 'Billede',
    drawingHelp:
      'En kasse er en tilstand, en linje i den er noget, der kan ske der, og pilen viser, hvor det fører hen. ● er begyndelsen, ◉ er en slutning. Betingelsen står i kantede parenteser; af flere linjer om det samme gælder den første, hvis betingelse er opfyldt.',
    wholeDrawing: 'Hele billedet',
    states: 'Tilstande',
    events: 'Hændelser',
    guards: 'Betingelser',
    delays: 'Tider',
    ports: 'Porte',
    portsHelp: 'En port er arbejde uden for maskinen: den giver det navn, produktet fylder den.',
    paths: 'Veje',
    pathsHelp:
      'Tilsammen går vejene alle overgange. Nummeret laves af trinene og ændres ikke, når andre veje kommer til.',
    tests: 'Test',
    source: 'Kildekode',
    transitions: 'Overgange',
    name: 'Navn',
    meaning: 'Betydning',
    where: 'Hvor',
    value: 'Værdi',
    filledBy: 'Fyldes af',
    builtIn: 'findes i maskinen selv',
    otherMachine: 'en anden maskine',
    cause: 'Det, der sker',
    condition: 'Betingelse',
    leadsTo: 'Fører til',
    does: 'Gør',
    walkedBy: 'Veje',
    definition: 'Sådan afgøres det',
    workedOut: 'regnes ud; for eksempel',
    runsHere: 'Arbejder her',
    onEntry: 'Når man kommer hertil',
    onExit: 'Når man går herfra',
    kinds: {
      compound: 'har tilstande i sig',
      parallel: 'alt i den foregår på samme tid',
      final: 'slutning',
      initial: 'begyndelse',
    },
    stays: 'bliver',
    refused: 'afvises her',
    otherwise: 'ellers',
    always: 'straks',
    finished: 'alt i den er færdigt',
    after: 'efter {delay}',
    step: 'Trin',
    happens: 'Det, der sker',
    expected: 'Forventet tilstand',
    begin: 'Udgangspunkt',
    nothingYet: 'Der er endnu ikke sket noget',
  },
  no: {
    title: 'Maskinene i Dentarium',
    intro:
      'En maskin sier hva som kan skje, og når. Her finnes hver maskin i produktet slik den er: bilde, tilstander, hendelser, vilkår, tider, porter og de veiene som testene går.',
    language: 'Språk',
    skip: 'Til innholdet',
    contents: 'Innhold',
    allMachines: 'Alle maskiner',
    search: 'Søk',
    searchHelp: 'Tilstander, hendelser, vilkår, tider, porter og veier i alle maskiner. Hurtigtast: /',
    found: { one: '{count} treff', other: '{count} treff' },
    nothingFound: 'Ingenting ble funnet',
    actorTree: 'Hvem som starter hvem',
    actorTreeHelp: 'En maskin lever så lenge den som startet den, er i den tilstanden som står ved navnet.',
    byPage: 'startes av siden som viser den',
    spawned: 'én for hver',
    drawing: 'Bilde',
    drawingHelp:
      'En boks er en tilstand, en linje i den er noe som kan skje der, og pilen viser hvor det fører. ● er begynnelsen, ◉ er en slutt. Vilkåret står i hakeparentes; av flere linjer om det samme gjelder den første som har vilkåret oppfylt.',
    wholeDrawing: 'Hele bildet',
    states: 'Tilstander',
    events: 'Hendelser',
    guards: 'Vilkår',
    delays: 'Tider',
    ports: 'Porter',
    portsHelp: 'En port er arbeid utenfor maskinen: den gir det navn, produktet fyller den.',
    paths: 'Veier',
    pathsHelp:
      'Til sammen går veiene alle overganger. Nummeret lages av trinnene og endres ikke når andre veier kommer til.',
    tests: 'Tester',
    source: 'Kildekode',
    transitions: 'Overganger',
    name: 'Navn',
    meaning: 'Betydning',
    where: 'Hvor',
    value: 'Verdi',
    filledBy: 'Fylles av',
    builtIn: 'finnes i maskinen selv',
    otherMachine: 'en annen maskin',
    cause: 'Det som skjer',
    condition: 'Vilkår',
    leadsTo: 'Fører til',
    does: 'Gjør',
    walkedBy: 'Veier',
    definition: 'Slik avgjøres det',
    workedOut: 'regnes ut; for eksempel',
    runsHere: 'Arbeider her',
    onEntry: 'Når man kommer hit',
    onExit: 'Når man går herfra',
    kinds: {
      compound: 'har tilstander i seg',
      parallel: 'alt i den foregår samtidig',
      final: 'slutt',
      initial: 'begynnelse',
    },
    stays: 'blir værende',
    refused: 'avvises her',
    otherwise: 'ellers',
    always: 'straks',
    finished: 'alt i den er ferdig',
    after: 'etter {delay}',
    step: 'Trinn',
    happens: 'Det som skjer',
    expected: 'Forventet tilstand',
    begin: 'Utgangspunkt',
    nothingYet: 'Ingenting har skjedd ennå',
  },
};

/** A template with its value put in. */
export const withValue = (template: string, value: string): string => template.replace(/\{\w+\}/, () => value);
