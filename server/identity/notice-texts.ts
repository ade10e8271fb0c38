import type { MailLanguage } from '../../contract/sign-in.ts';
import { passkeyNotices } from './passkeys/passkey-notices.ts';
import { pinNotices } from './pins/pin-notices.ts';

/** Kinds of e-mail in the queue that tell users about a change of their account. They have no link and no secret. */
export const noticeKinds = [
  'two-factor-reset',
  'two-factor-reset-by-you',
  'password-changed',
  'two-factor-enabled',
  'two-factor-disabled',
  'sessions-ended',
  'passkey-added',
  'passkey-renamed',
  'passkey-removed',
  'pin-set',
  'pin-changed',
  'pin-removed',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

interface NoticeTexts {
  readonly subject: string;
  /** `{name}` and `{place}` are replaced. Each item is a paragraph. */
  readonly body: readonly string[];
}

export const noticeTexts: Readonly<Record<NoticeKind, Readonly<Record<MailLanguage, NoticeTexts>>>> = {
  'two-factor-reset': {
    en: {
      subject: 'Two-factor authentication was turned off',
      body: [
        'Hello {name},',
        'An administrator turned off two-factor authentication for your Dentarium account at {place} and removed your passkeys. You sign in with your password alone, until you turn it on again in your account panel.',
        'You did not ask for it? Tell your administrator at once.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'Tvåfaktorsautentisering har slagits av',
      body: [
        'Hej {name}!',
        'En administratör har slagit av tvåfaktorsautentisering för ditt konto i Dentarium på {place} och tagit bort dina lösennycklar. Du loggar in med enbart lösenordet tills du slår på den igen i din kontopanel.',
        'Har du inte bett om det? Säg till din administratör genast.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'Totrinsbekræftelse er slået fra',
      body: [
        'Hej {name}',
        'En administrator har slået totrinsbekræftelse fra for din konto i Dentarium på {place} og fjernet dine adgangsnøgler. Du logger ind med adgangskoden alene, indtil du slår den til igen i dit kontopanel.',
        'Har du ikke bedt om det? Så sig det straks til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'Tofaktorautentisering er slått av',
      body: [
        'Hei {name}!',
        'En administrator har slått av tofaktorautentisering for kontoen din i Dentarium på {place} og fjernet tilgangsnøklene dine. Du logger inn med bare passordet til du slår den på igjen i kontopanelet.',
        'Har du ikke bedt om det? Si fra til administratoren med en gang.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
  'two-factor-reset-by-you': {
    en: {
      subject: 'You turned off the two-factor authentication of a user',
      body: [
        'Hello {name},',
        'With your Dentarium account at {place}, the two-factor authentication of a user was turned off. The access log names the user.',
        'It was not you? Change your password at once, and tell the other administrators.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'Du har slagit av en användares tvåfaktorsautentisering',
      body: [
        'Hej {name}!',
        'Med ditt konto i Dentarium på {place} har en användares tvåfaktorsautentisering slagits av. Åtkomstloggen visar vilken användare det är.',
        'Var det inte du? Byt lösenord genast och säg till de andra administratörerna.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'Du har slået en brugers totrinsbekræftelse fra',
      body: [
        'Hej {name}',
        'Med din konto i Dentarium på {place} er en brugers totrinsbekræftelse slået fra. Adgangsloggen viser, hvilken bruger det er.',
        'Var det ikke dig? Så skift straks adgangskode, og sig det til de andre administratorer.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'Du har slått av tofaktorautentiseringen til en bruker',
      body: [
        'Hei {name}!',
        'Med kontoen din i Dentarium på {place} er tofaktorautentiseringen til en bruker slått av. Tilgangsloggen viser hvilken bruker det er.',
        'Var det ikke deg? Bytt passord med en gang, og si fra til de andre administratorene.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
  'password-changed': {
    en: {
      subject: 'Your password was changed',
      body: [
        'Hello {name},',
        'The password of your Dentarium account at {place} was changed. All other sessions have ended.',
        'It was not you? Choose a new password at once, and tell your administrator.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'Ditt lösenord har ändrats',
      body: [
        'Hej {name}!',
        'Lösenordet till ditt konto i Dentarium på {place} har ändrats. Alla andra sessioner har avslutats.',
        'Var det inte du? Välj ett nytt lösenord genast och säg till din administratör.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'Din adgangskode er ændret',
      body: [
        'Hej {name}',
        'Adgangskoden til din konto i Dentarium på {place} er ændret. Alle andre sessioner er afsluttet.',
        'Var det ikke dig? Så vælg straks en ny adgangskode, og sig det til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'Passordet ditt er endret',
      body: [
        'Hei {name}!',
        'Passordet til kontoen din i Dentarium på {place} er endret. Alle andre økter er avsluttet.',
        'Var det ikke deg? Velg et nytt passord med en gang, og si fra til administratoren.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
  'two-factor-enabled': {
    en: {
      subject: 'Two-factor authentication was turned on',
      body: [
        'Hello {name},',
        'Two-factor authentication was turned on for your Dentarium account at {place}. Signing in by password now also asks for a code.',
        'It was not you? Choose a new password at once, and tell your administrator.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'Tvåfaktorsautentisering har slagits på',
      body: [
        'Hej {name}!',
        'Tvåfaktorsautentisering har slagits på för ditt konto i Dentarium på {place}. Inloggning med lösenord kräver nu även en kod.',
        'Var det inte du? Välj ett nytt lösenord genast och säg till din administratör.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'Totrinsbekræftelse er slået til',
      body: [
        'Hej {name}',
        'Totrinsbekræftelse er slået til for din konto i Dentarium på {place}. Når du logger ind med adgangskode, skal du nu også bruge en kode.',
        'Var det ikke dig? Så vælg straks en ny adgangskode, og sig det til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'Tofaktorautentisering er slått på',
      body: [
        'Hei {name}!',
        'Tofaktorautentisering er slått på for kontoen din i Dentarium på {place}. Innlogging med passord krever nå også en kode.',
        'Var det ikke deg? Velg et nytt passord med en gang, og si fra til administratoren.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
  'two-factor-disabled': {
    en: {
      subject: 'Two-factor authentication was turned off',
      body: [
        'Hello {name},',
        'Two-factor authentication was turned off for your Dentarium account at {place}. You sign in with your password alone.',
        'It was not you? Choose a new password at once, and tell your administrator.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'Tvåfaktorsautentisering har slagits av',
      body: [
        'Hej {name}!',
        'Tvåfaktorsautentisering har slagits av för ditt konto i Dentarium på {place}. Du loggar in med enbart lösenordet.',
        'Var det inte du? Välj ett nytt lösenord genast och säg till din administratör.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'Totrinsbekræftelse er slået fra',
      body: [
        'Hej {name}',
        'Totrinsbekræftelse er slået fra for din konto i Dentarium på {place}. Du logger ind med adgangskoden alene.',
        'Var det ikke dig? Så vælg straks en ny adgangskode, og sig det til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'Tofaktorautentisering er slått av',
      body: [
        'Hei {name}!',
        'Tofaktorautentisering er slått av for kontoen din i Dentarium på {place}. Du logger inn med bare passordet.',
        'Var det ikke deg? Velg et nytt passord med en gang, og si fra til administratoren.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
  'sessions-ended': {
    en: {
      subject: 'You were signed out on your other devices',
      body: [
        'Hello {name},',
        'All sessions of your Dentarium account at {place} were ended, except the one that asked for it.',
        'It was not you? Choose a new password at once, and tell your administrator.',
        'Please do not answer this e-mail; replies are not read.',
      ],
    },
    sv: {
      subject: 'Du har loggats ut på dina andra enheter',
      body: [
        'Hej {name}!',
        'Alla sessioner för ditt konto i Dentarium på {place} har avslutats, utom den som begärde det.',
        'Var det inte du? Välj ett nytt lösenord genast och säg till din administratör.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'Du er logget ud på dine andre enheder',
      body: [
        'Hej {name}',
        'Alle sessioner for din konto i Dentarium på {place} er afsluttet, undtagen den, der bad om det.',
        'Var det ikke dig? Så vælg straks en ny adgangskode, og sig det til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'Du er logget ut på de andre enhetene dine',
      body: [
        'Hei {name}!',
        'Alle økter for kontoen din i Dentarium på {place} er avsluttet, unntatt den som ba om det.',
        'Var det ikke deg? Velg et nytt passord med en gang, og si fra til administratoren.',
        'Dette brevet kan ikke besvares.',
      ],
    },
  },
  ...passkeyNotices,
  ...pinNotices,
};
