import type { Kysely } from 'kysely';
import { type MailLanguage, mailLanguage } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { accountByEmail } from '../db/stores/account-store.ts';
import type { QueuedMail } from '../db/stores/mail-queue.ts';
import type { PreparedEmail } from '../mail/mailer.ts';
import { accountEmail } from './account-email.ts';

/** Kinds of e-mail in the queue that tell users about a change of their account. They have no link and no secret. */
export const noticeKinds = ['two-factor-reset', 'two-factor-reset-by-you'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

interface NoticeTexts {
  readonly subject: string;
  /** `{name}` and `{place}` are replaced. Each item is a paragraph. */
  readonly body: readonly string[];
}

const texts: Readonly<Record<NoticeKind, Readonly<Record<MailLanguage, NoticeTexts>>>> = {
  'two-factor-reset': {
    en: {
      subject: 'Two-factor authentication was turned off',
      body: [
        'Hello {name},',
        'An administrator turned off two-factor authentication for your Dentarium account at {place}. You sign in with your password alone, until you turn it on again in your account panel.',
        'You did not ask for it? Tell your administrator at once.',
        'Please do not answer this letter; nobody reads the replies.',
      ],
    },
    sv: {
      subject: 'Tvåfaktorsautentisering har slagits av',
      body: [
        'Hej {name}!',
        'En administratör har slagit av tvåfaktorsautentisering för ditt konto i Dentarium på {place}. Du loggar in med enbart lösenordet tills du slår på den igen i din kontopanel.',
        'Har du inte bett om det? Säg till din administratör genast.',
        'Det går inte att svara på det här brevet.',
      ],
    },
    da: {
      subject: 'Totrinsbekræftelse er slået fra',
      body: [
        'Hej {name}',
        'En administrator har slået totrinsbekræftelse fra for din konto i Dentarium på {place}. Du logger ind med adgangskoden alene, indtil du slår den til igen i dit kontopanel.',
        'Har du ikke bedt om det? Så sig det straks til din administrator.',
        'Dette brev kan ikke besvares.',
      ],
    },
    no: {
      subject: 'Tofaktorautentisering er slått av',
      body: [
        'Hei {name}!',
        'En administrator har slått av tofaktorautentisering for kontoen din i Dentarium på {place}. Du logger inn med bare passordet til du slår den på igjen i kontopanelet.',
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
        'Please do not answer this letter; nobody reads the replies.',
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
};

const isNotice = (kind: string): kind is NoticeKind => noticeKinds.some((one) => one === kind);

/** Renders a notice of the queue; null for other kinds, and when there is no such active account. */
export const prepareNotice =
  (db: Kysely<Schema>) =>
  async ({ kind, email, language, page }: QueuedMail): Promise<PreparedEmail | null> => {
    if (!isNotice(kind)) return null;
    const account = await accountByEmail(db, email);
    if (!account?.isActive) return null;
    const known = mailLanguage.catch('sv').parse(language);
    const values = { place: new URL(page).host };
    const message = accountEmail({ language: known, to: account, ...texts[kind][known], values });
    return { accountId: account.id, message, settle: async () => undefined };
  };
