/** Said in the BankID app above the person's yes: who asks, and that a stranger's code must not be scanned. */
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

/** @param language `ui_locales` of the request, the first that we have counts; Swedish otherwise */
export const visibleText = (host: string, language: string | null): string => {
  const wanted = (language ?? '').split(/[\s-]+/).map((part) => (part === 'nb' || part === 'nn' ? 'no' : part));
  const known = wanted.find((part): part is keyof typeof texts => Object.hasOwn(texts, part));
  return texts[known ?? 'sv'](host);
};
