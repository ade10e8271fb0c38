import type { MailLanguage } from '../../contract/sign-in.ts';

/** `{name}`, `{place}`, `{link}` and `{time}` are replaced. Each item of `body` is a paragraph. */
interface ResetTexts {
  readonly subject: string;
  readonly body: readonly string[];
  readonly button: string;
}

export const passwordResetTexts: Readonly<Record<MailLanguage, ResetTexts>> = {
  sv: {
    subject: 'Välj ett nytt lösenord till Dentarium',
    button: 'Välj nytt lösenord',
    body: [
      'Hej {name}!',
      'Någon, troligen du själv, har bett om ett nytt lösenord till ditt konto i Dentarium på {place}. Här väljer du det:',
      '{link}',
      'Länken fungerar i {time} och bara en gång. Begär du en ny länk slutar den här att gälla.',
      'Var det inte du? Då behöver du inte göra något. Ditt lösenord är oförändrat.',
      'Det går inte att svara på det här brevet.',
    ],
  },
  en: {
    subject: 'Choose a new password for Dentarium',
    button: 'Choose a new password',
    body: [
      'Hello {name},',
      'Somebody, probably you, asked for a new password for your Dentarium account at {place}. Choose it here:',
      '{link}',
      'The link works for {time}, and only once. If you ask for another one, this one stops working.',
      'It was not you? Then there is nothing to do. Your password is unchanged.',
      'Please do not answer this e-mail; replies are not read.',
    ],
  },
  da: {
    subject: 'Vælg en ny adgangskode til Dentarium',
    button: 'Vælg ny adgangskode',
    body: [
      'Hej {name}',
      'Nogen, sandsynligvis dig selv, har bedt om en ny adgangskode til din konto i Dentarium på {place}. Her vælger du den:',
      '{link}',
      'Linket virker i {time} og kun én gang. Beder du om et nyt link, holder dette op med at virke.',
      'Var det ikke dig? Så behøver du ikke gøre noget. Din adgangskode er uændret.',
      'Dette brev kan ikke besvares.',
    ],
  },
  no: {
    subject: 'Velg et nytt passord til Dentarium',
    button: 'Velg nytt passord',
    body: [
      'Hei {name}!',
      'Noen, trolig du selv, har bedt om et nytt passord til kontoen din i Dentarium på {place}. Her velger du det:',
      '{link}',
      'Lenken virker i {time} og bare én gang. Ber du om en ny lenke, slutter denne å virke.',
      'Var det ikke deg? Da trenger du ikke gjøre noe. Passordet ditt er uendret.',
      'Dette brevet kan ikke besvares.',
    ],
  },
};

/** For users who were added without a password. */
export const invitationTexts: Readonly<Record<MailLanguage, ResetTexts>> = {
  sv: {
    subject: 'Välkommen till Dentarium',
    button: 'Välj lösenord',
    body: [
      'Hej {name}!',
      'Du har fått ett konto i Dentarium på {place}. Välj ditt lösenord här:',
      '{link}',
      'Länken fungerar i {time} och bara en gång. Be din administratör om en ny om den har slutat att gälla.',
      'Det går inte att svara på det här brevet.',
    ],
  },
  en: {
    subject: 'Welcome to Dentarium',
    button: 'Choose a password',
    body: [
      'Hello {name},',
      'You have an account in Dentarium at {place}. Choose your password here:',
      '{link}',
      'The link works for {time}, and only once. If it has stopped working, ask your administrator for another one.',
      'Please do not answer this e-mail; replies are not read.',
    ],
  },
  da: {
    subject: 'Velkommen til Dentarium',
    button: 'Vælg adgangskode',
    body: [
      'Hej {name}',
      'Du har fået en konto i Dentarium på {place}. Vælg din adgangskode her:',
      '{link}',
      'Linket virker i {time} og kun én gang. Bed din administrator om et nyt, hvis det er holdt op med at virke.',
      'Dette brev kan ikke besvares.',
    ],
  },
  no: {
    subject: 'Velkommen til Dentarium',
    button: 'Velg passord',
    body: [
      'Hei {name}!',
      'Du har fått en konto i Dentarium på {place}. Velg passordet ditt her:',
      '{link}',
      'Lenken virker i {time} og bare én gang. Be administratoren om en ny hvis den har sluttet å virke.',
      'Dette brevet kan ikke besvares.',
    ],
  },
};
