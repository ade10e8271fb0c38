import { useTranslation } from 'react-i18next';
import { PasswordDialog } from '../forms/password-dialog.tsx';
import { useAppContext } from './app-context.tsx';

/** Changes the password of the signed-in user. */
export const OwnPasswordDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('account');
  const { passwords } = useAppContext();
  return (
    <PasswordDialog
      title={t('changePasswordTitle')}
      lead={t('changePasswordLead')}
      saved={t('passwordChanged')}
      asksCurrent
      onSave={({ current, password }) => passwords.changeOwn({ current, password })}
      onClose={onClose}
    />
  );
};
