import { useTranslation } from 'react-i18next';
import type { MailFailure } from '../../../contract/mail.ts';

/** Returns a function that formats why a message was not delivered. */
export const useMailFailureText = (): ((reason: MailFailure) => string) => {
  const { t } = useTranslation('system');
  return (reason) => t(`mail-${reason}`);
};
