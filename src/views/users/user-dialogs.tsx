import { useTranslation } from 'react-i18next';
import type { Employee } from '../../../contract/users.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { PasswordDialog } from '../forms/password-dialog.tsx';
import { ReassignUser } from '../forms/reassign-user.tsx';
import { toast } from '../ui/toast.ts';
import { ResetLinkDialog } from './reset-link-dialog.tsx';
import { TwoFactorDialog } from './two-factor-dialog.tsx';
import { UserQuestion } from './user-question.tsx';
import type { UserAction } from './user-rights.ts';

/** The requested action and its user. */
export interface UserRequest {
  readonly act: Exclude<UserAction, 'edit'>;
  readonly user: Employee;
}

interface UserDialogsProps {
  readonly request: UserRequest;
  /** The signed-in user has two-factor authentication. */
  readonly hasTwoFactor: boolean;
  readonly hasPasskey: boolean;
  readonly onClose: () => void;
  /** The user is no longer in this list. */
  readonly onGone: (id: string) => void;
}

/** Renders the dialog of a requested action. */
export const UserDialogs = ({
  request: { act, user },
  hasTwoFactor,
  hasPasskey,
  onClose,
  onGone,
}: UserDialogsProps) => {
  const { t } = useTranslation(['users', 'shell']);
  const administration = useAdministration();
  const name = `${user.firstName} ${user.lastName}`;
  const { id, email } = user;
  const done = (text: string) => {
    toast({ tone: 'good', text, close: t('shell:close') });
    onClose();
  };
  switch (act) {
    case 'password':
      return (
        <PasswordDialog
          title={t('setPasswordTitle', { name })}
          lead={t('setPasswordLead', { name })}
          saved={t('passwordSet', { name })}
          onSave={({ password }) => administration.setPassword({ id, password })}
          onClose={onClose}
        />
      );
    case 'move':
      return (
        <ReassignUser
          user={user}
          onClose={onClose}
          onMoved={() => {
            onGone(id);
            onClose();
          }}
        />
      );
    case 'two-factor':
      return <TwoFactorDialog user={user} asksCode={hasTwoFactor} hasPasskey={hasPasskey} onClose={onClose} />;
    case 'reset':
      return <ResetLinkDialog user={user} onClose={onClose} />;
    case 'status':
      return (
        <UserQuestion
          title={t('deactivateTitle', { name })}
          text={t('deactivateText')}
          yes={t('deactivateNow')}
          harms
          onClose={onClose}
          onYes={async () => {
            await administration.changeStatus({ id, status: false });
            done(t('deactivated', { name }));
          }}
        />
      );
    case 'sessions':
      return (
        <UserQuestion
          title={t('endSessionsTitle', { name })}
          text={t('endSessionsText')}
          yes={t('endSessionsNow')}
          harms={false}
          onClose={onClose}
          onYes={async () => {
            await administration.endUserSessions(id);
            done(t('sessionsEnded', { name }));
          }}
        />
      );
    case 'delete':
      return (
        <UserQuestion
          title={t('deleteTitle', { name })}
          text={t('deleteText', { name, email })}
          yes={t('deleteNow')}
          harms
          onClose={onClose}
          onYes={async () => {
            await administration.deleteAccount(id);
            onGone(id);
            done(t('deleted', { name }));
          }}
        />
      );
  }
};
