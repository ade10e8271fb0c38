import type { MailLanguage } from '../../contract/sign-in.ts';

interface OutboxTexts {
  readonly title: string;
  readonly explanation: string;
  readonly none: string;
  readonly to: string;
  readonly open: string;
}

export const outboxTexts: Readonly<Record<MailLanguage, OutboxTexts>> = {
  sv: {
    title: 'Demoklinikens utkorg',
    explanation:
      'Ingen e-postserver är inställd. Breven skickas inte, utan läggs här. Sidan visas bara på den här datorn.',
    none: 'Inga brev ännu.',
    to: 'Till',
    open: 'Öppna länken i brevet',
  },
  en: {
    title: 'Outbox of the demo clinic',
    explanation:
      'No mail server is configured. E-mails are not sent but stored here. This page is shown on this computer only.',
    none: 'No e-mails yet.',
    to: 'To',
    open: 'Open the link of the letter',
  },
  da: {
    title: 'Demoklinikkens udbakke',
    explanation:
      'Der er ikke indstillet nogen mailserver. Brevene sendes ikke, men lægges her. Siden vises kun på denne computer.',
    none: 'Ingen breve endnu.',
    to: 'Til',
    open: 'Åbn linket i brevet',
  },
  no: {
    title: 'Demoklinikkens utboks',
    explanation:
      'Ingen e-postserver er satt opp. Brevene sendes ikke, men legges her. Siden vises bare på denne datamaskinen.',
    none: 'Ingen brev ennå.',
    to: 'Til',
    open: 'Åpne lenken i brevet',
  },
};
