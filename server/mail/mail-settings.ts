/** Where letters go out. */
export interface MailSettings {
  /** `smtp://user:password@host:port` or `smtps://...` */
  readonly smtpUrl: string;
  readonly from: string;
}

export const readMailSettings = (environment: Readonly<Record<string, string | undefined>>): MailSettings | null => {
  const { DENTARIUM_SMTP_URL: smtpUrl, DENTARIUM_MAIL_FROM: from } = environment;
  return smtpUrl && from ? { smtpUrl, from } : null;
};
