import type { MailLanguage } from '../../../contract/sign-in.ts';

interface Texts {
  readonly subject: string;
  readonly body: readonly string[];
}

/** Notices about the PIN, as in `notice-texts.ts`. */
export const pinNotices = {
  'pin-set': {
    en: {
      subject: 'A PIN was set',
      body: [
        'Hello {name},',
        'A PIN was set for your Dentarium account at {place}. It unlocks a locked page and does not sign in.',
        'It was not you? Remove it in your account panel, choose a new password at once, and tell your administrator.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'En PIN-kod har angetts',
      body: [
        'Hej {name}!',
        'En PIN-kod har angetts för ditt konto i Dentarium på {place}. Den låser upp en låst sida men loggar inte in.',
        'Var det inte du? Ta bort den i din kontopanel, välj ett nytt lösenord genast och säg till din administratör.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'En PIN-kode er angivet',
      body: [
        'Hej {name}',
        'Der er angivet en PIN-kode til din konto i Dentarium på {place}. Den låser en låst side op, men logger ikke ind.',
        'Var det ikke dig? Så fjern den i dit kontopanel, vælg straks en ny adgangskode, og sig det til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'En PIN-kode er angitt',
      body: [
        'Hei {name}!',
        'En PIN-kode er angitt for kontoen din i Dentarium på {place}. Den låser opp en låst side, men logger ikke inn.',
        'Var det ikke deg? Fjern den i kontopanelet, velg et nytt passord med en gang, og si fra til administratoren.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
  'pin-changed': {
    en: {
      subject: 'Your PIN was changed',
      body: [
        'Hello {name},',
        'The PIN of your Dentarium account at {place}, which unlocks a locked page, was changed.',
        'It was not you? Remove it in your account panel, choose a new password at once, and tell your administrator.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'Din PIN-kod har ändrats',
      body: [
        'Hej {name}!',
        'PIN-koden för ditt konto i Dentarium på {place}, som låser upp en låst sida, har ändrats.',
        'Var det inte du? Ta bort den i din kontopanel, välj ett nytt lösenord genast och säg till din administratör.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'Din PIN-kode er ændret',
      body: [
        'Hej {name}',
        'PIN-koden til din konto i Dentarium på {place}, som låser en låst side op, er ændret.',
        'Var det ikke dig? Så fjern den i dit kontopanel, vælg straks en ny adgangskode, og sig det til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'PIN-koden din er endret',
      body: [
        'Hei {name}!',
        'PIN-koden for kontoen din i Dentarium på {place}, som låser opp en låst side, er endret.',
        'Var det ikke deg? Fjern den i kontopanelet, velg et nytt passord med en gang, og si fra til administratoren.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
  'pin-removed': {
    en: {
      subject: 'Your PIN was removed',
      body: [
        'Hello {name},',
        'The PIN of your Dentarium account at {place} was removed. It no longer unlocks a locked page.',
        'It was not you? Choose a new password at once, and tell your administrator.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'Din PIN-kod har tagits bort',
      body: [
        'Hej {name}!',
        'PIN-koden för ditt konto i Dentarium på {place} har tagits bort. Det går inte längre att låsa upp en låst sida med den.',
        'Var det inte du? Välj ett nytt lösenord genast och säg till din administratör.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'Din PIN-kode er fjernet',
      body: [
        'Hej {name}',
        'PIN-koden til din konto i Dentarium på {place} er fjernet. Den låser ikke længere en låst side op.',
        'Var det ikke dig? Så vælg straks en ny adgangskode, og sig det til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'PIN-koden din er fjernet',
      body: [
        'Hei {name}!',
        'PIN-koden for kontoen din i Dentarium på {place} er fjernet. Den låser ikke lenger opp en låst side.',
        'Var det ikke deg? Velg et nytt passord med en gang, og si fra til administratoren.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
} as const satisfies Record<string, Record<MailLanguage, Texts>>;
