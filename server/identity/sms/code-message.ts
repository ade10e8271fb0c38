import type { MailLanguage } from '../../../contract/sign-in.ts';

const texts: Readonly<Record<MailLanguage, (code: string, minutes: number) => string>> = {
  sv: (code, minutes) =>
    `${code} är din kod för att logga in. Den gäller i ${minutes} minuter. Ge den aldrig till någon annan.`,
  en: (code, minutes) =>
    `${code} is your code for signing in. It is valid for ${minutes} minutes. Never give it to anyone.`,
  da: (code, minutes) =>
    `${code} er din kode til at logge ind. Den gælder i ${minutes} minutter. Giv den aldrig til andre.`,
  no: (code, minutes) =>
    `${code} er koden din for å logge inn. Den gjelder i ${minutes} minutter. Gi den aldri til andre.`,
};

/**
 * Returns the text message with a code. Its last line binds the code to our host (WICG "Origin-bound one-time codes delivered via SMS"), so browsers
 * do not offer it on a phishing page.
 * @param host without a port, which the format does not support
 */
export const codeMessage = (language: MailLanguage, code: string, minutes: number, host: string): string =>
  `${texts[language](code, minutes)}\n\n@${host} #${code}`;
