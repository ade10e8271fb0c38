type VisibleLanguage = 'sv' | 'en' | 'da' | 'no';
export type VisibleAction = 'sign-in' | 'unlock';

/** Shown in the BankID app: what it identifies for, and a warning not to scan a stranger's code. */
const texts: Readonly<Record<VisibleAction, Readonly<Record<VisibleLanguage, (host: string) => string>>>> = {
  'sign-in': {
    sv: (host) =>
      `Du loggar in på ${host}. Fortsätt bara om du själv har öppnat inloggningen. Har någon annan bett dig: avbryt.`,
    en: (host) =>
      `You are signing in to ${host}. Go on only if you opened the sign-in page yourself. If somebody asked you to: cancel.`,
    da: (host) =>
      `Du logger ind på ${host}. Fortsæt kun, hvis du selv har åbnet login-siden. Har en anden bedt dig om det: annuller.`,
    no: (host) =>
      `Du logger inn på ${host}. Fortsett bare hvis du selv har åpnet innloggingen. Har noen andre bedt deg om det: avbryt.`,
  },
  unlock: {
    sv: (host) =>
      `Du låser upp en låst sida på ${host}. Fortsätt bara om du själv sitter vid den. Har någon annan bett dig: avbryt.`,
    en: (host) =>
      `You are unlocking a locked page at ${host}. Go on only if you are sitting at it yourself. If somebody asked you to: cancel.`,
    da: (host) =>
      `Du låser en låst side op på ${host}. Fortsæt kun, hvis du selv sidder ved den. Har en anden bedt dig om det: annuller.`,
    no: (host) =>
      `Du låser opp en låst side på ${host}. Fortsett bare hvis du selv sitter ved den. Har noen andre bedt deg om det: avbryt.`,
  },
};

/** @param language `ui_locales` of the request; the first supported one is used, otherwise Swedish */
export const visibleText = (host: string, action: VisibleAction, language: string | null): string => {
  const requested = (language ?? '').split(/[\s-]+/).map((part) => (part === 'nb' || part === 'nn' ? 'no' : part));
  const known = requested.find((part): part is VisibleLanguage => Object.hasOwn(texts[action], part));
  return texts[action][known ?? 'sv'](host);
};
