/** A gateway that sends text messages. */
export interface SmsSettings {
  readonly url: string;
  readonly token: string;
  readonly from: string;
}

export const readSmsSettings = (_environment: Readonly<Record<string, string | undefined>>): SmsSettings | null => null;
