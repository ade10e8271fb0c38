/** Shown in the BankID app: who requests the sign-in, and a warning not to scan a stranger's code. */
const texts: Readonly<Record<'sv' | 'en' | 'da' | 'no', (host: string) => string>> = {
  sv: (host) =>
    `Du loggar in på ${host}. Fortsätt bara om du själv har öppnat inloggningen. Har någon annan bett dig: avbryt.`,
  en: (host) =>
    `You are signing in to ${host}. Go on only if you opened the sign-in page yourself. If somebody asked you to: cancel.`,
  da: (host) =>
    `Du logger ind på ${host}. Fortsæt kun, hvis du selv har åbnet login-siden. Har en anden bedt dig om det: annuller.`,
  no: (host) =>
    `Du logger inn på ${host}. Fortsett bare hvis du selv har åpnet innloggingen. Har noen andre bedt deg om det: avbryt.`,
};

/** @param language `ui_locales` of the request; the first supported one is used, otherwise Swedish */
export const visibleText = (host: string, language: string | null): string => {
  const requested = (language ?? '').split(/[\s-]+/).map((part) => (part === 'nb' || part === 'nn' ? 'no' : part));
  const known = requested.find((part): part is keyof typeof texts => Object.hasOwn(texts, part));
  return texts[known ?? 'sv'](host);
};
