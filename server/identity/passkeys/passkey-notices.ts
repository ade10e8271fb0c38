import type { MailLanguage } from '../../../contract/sign-in.ts';

interface Texts {
  readonly subject: string;
  readonly body: readonly string[];
}

/** Notices about passkeys, as in `notice-texts.ts`. */
export const passkeyNotices = {
  'passkey-added': {
    en: {
      subject: 'A passkey was added',
      body: [
        'Hello {name},',
        'A passkey was added to your Dentarium account at {place}. It signs in without the password. All other sessions have ended.',
        'It was not you? Remove it in your account panel, choose a new password at once, and tell your administrator.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'En lösennyckel har lagts till',
      body: [
        'Hej {name}!',
        'En lösennyckel har lagts till för ditt konto i Dentarium på {place}. Med den går det att logga in utan lösenord. Alla andra sessioner har avslutats.',
        'Var det inte du? Ta bort den i din kontopanel, välj ett nytt lösenord genast och säg till din administratör.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'En adgangsnøgle er tilføjet',
      body: [
        'Hej {name}',
        'En adgangsnøgle er føjet til din konto i Dentarium på {place}. Med den kan man logge ind uden adgangskode. Alle andre sessioner er afsluttet.',
        'Var det ikke dig? Så fjern den i dit kontopanel, vælg straks en ny adgangskode, og sig det til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'En tilgangsnøkkel er lagt til',
      body: [
        'Hei {name}!',
        'En tilgangsnøkkel er lagt til for kontoen din i Dentarium på {place}. Med den kan man logge inn uten passord. Alle andre økter er avsluttet.',
        'Var det ikke deg? Fjern den i kontopanelet, velg et nytt passord med en gang, og si fra til administratoren.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
  'passkey-renamed': {
    en: {
      subject: 'A passkey was renamed',
      body: [
        'Hello {name},',
        'A passkey of your Dentarium account at {place} was renamed.',
        'It was not you? Choose a new password at once, and tell your administrator.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'En lösennyckel har bytt namn',
      body: [
        'Hej {name}!',
        'En lösennyckel för ditt konto i Dentarium på {place} har bytt namn.',
        'Var det inte du? Välj ett nytt lösenord genast och säg till din administratör.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'En adgangsnøgle er omdøbt',
      body: [
        'Hej {name}',
        'En adgangsnøgle til din konto i Dentarium på {place} er omdøbt.',
        'Var det ikke dig? Så vælg straks en ny adgangskode, og sig det til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'En tilgangsnøkkel har fått nytt navn',
      body: [
        'Hei {name}!',
        'En tilgangsnøkkel for kontoen din i Dentarium på {place} har fått nytt navn.',
        'Var det ikke deg? Velg et nytt passord med en gang, og si fra til administratoren.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
  'passkey-removed': {
    en: {
      subject: 'A passkey was removed',
      body: [
        'Hello {name},',
        'A passkey was removed from your Dentarium account at {place}. It no longer signs in. All other sessions have ended.',
        'It was not you? Choose a new password at once, and tell your administrator.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'En lösennyckel har tagits bort',
      body: [
        'Hej {name}!',
        'En lösennyckel har tagits bort från ditt konto i Dentarium på {place}. Det går inte längre att logga in med den. Alla andra sessioner har avslutats.',
        'Var det inte du? Välj ett nytt lösenord genast och säg till din administratör.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'En adgangsnøgle er fjernet',
      body: [
        'Hej {name}',
        'En adgangsnøgle er fjernet fra din konto i Dentarium på {place}. Man kan ikke længere logge ind med den. Alle andre sessioner er afsluttet.',
        'Var det ikke dig? Så vælg straks en ny adgangskode, og sig det til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'En tilgangsnøkkel er fjernet',
      body: [
        'Hei {name}!',
        'En tilgangsnøkkel er fjernet fra kontoen din i Dentarium på {place}. Man kan ikke lenger logge inn med den. Alle andre økter er avsluttet.',
        'Var det ikke deg? Velg et nytt passord med en gang, og si fra til administratoren.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
} as const satisfies Record<string, Record<MailLanguage, Texts>>;
