import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Employee } from '../../../contract/users.ts';
import { useAppContext } from '../app/app-context.tsx';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { ReassignUser } from '../forms/reassign-user.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { defaultLanguage, languageOf } from '../language/languages.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import { PasswordDialog } from './password-dialog.tsx';
import type { UserAction } from './user-rights.ts';
import classes from './users.module.css';

interface UserQuestionProps {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  /** The action is destructive. */
  readonly harms: boolean;
  /** Runs the action; rejects with the server's error. */
  readonly onYes: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Confirms an action on a user and shows its error. */
const UserQuestion = ({ title, text, yes, harms, onYes, onClose }: UserQuestionProps) => {
  const { t } = useTranslation('shell');
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const act = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onYes();
    } catch (error) {
      setBusy(false);
      setFailure(failureText(failureOfQuery(error)));
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} size={440} closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={classes.question}>
        <p>{text}</p>
        <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      </div>
      <div className={classes.answers}>
        <Button variant="default" data-autofocus={harms || undefined} onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          color={harms ? 'red.9' : undefined}
          data-autofocus={!harms || undefined}
          loading={busy}
          onClick={() => void act()}
        >
          {yes}
        </Button>
      </div>
    </Modal>
  );
};

/** The requested action and its user. */
export interface UserRequest {
  readonly act: Exclude<UserAction, 'edit'>;
  readonly user: Employee;
}

interface UserDialogsProps {
  readonly request: UserRequest;
  readonly onClose: () => void;
  /** The user is no longer in this list. */
  readonly onGone: (id: string) => void;
}

/** Renders the dialog of a requested action. */
export const UserDialogs = ({ request: { act, user }, onClose, onGone }: UserDialogsProps) => {
  const { t, i18n } = useTranslation(['users', 'shell']);
  const administration = useAdministration();
  const { passwords } = useAppContext();
  const name = `${user.firstName} ${user.lastName}`;
  const { id, email } = user;
  const done = (text: string) => {
    toast({ tone: 'good', text, close: t('shell:close') });
    onClose();
  };
  switch (act) {
    case 'password':
      return <PasswordDialog user={user} onClose={onClose} />;
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
    case 'reset':
      return (
        <UserQuestion
          title={t('resetTitle')}
          text={t('resetText', { name, email })}
          yes={t('resetSend')}
          harms={false}
          onClose={onClose}
          onYes={async () => {
            await passwords.requestReset(email, languageOf(i18n.language) ?? defaultLanguage);
            done(t('resetSent', { email }));
          }}
        />
      );
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
