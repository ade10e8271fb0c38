import { useTranslation } from 'react-i18next';
import type { Employee } from '../../../contract/users.ts';
import { useAdministration } from '../administration.ts';
import { ReassignUser } from '../forms/reassign-user.tsx';
import { useGround } from '../ground.tsx';
import { defaultLanguage, languageOf } from '../language/languages.ts';
import { toast } from '../parts/toast.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { PersonQuestion } from './person-question.tsx';
import type { PersonAct } from './person-rights.ts';

/** What is about to be done, and to whom. */
export interface PersonWish {
  readonly act: Exclude<PersonAct, 'edit'>;
  readonly person: Employee;
}

interface PersonDialogsProps {
  readonly wish: PersonWish;
  readonly onClose: () => void;
  /** The person belongs to this list no more. */
  readonly onGone: (id: string) => void;
}

/** The dialog of one wish. */
export const PersonDialogs = ({ wish: { act, person }, onClose, onGone }: PersonDialogsProps) => {
  const { t, i18n } = useTranslation(['people', 'shell']);
  const administration = useAdministration();
  const { passwords } = useGround();
  const name = `${person.firstName} ${person.lastName}`;
  const { id, email } = person;
  const done = (text: string) => {
    toast({ tone: 'good', text, close: t('shell:close') });
    onClose();
  };
  switch (act) {
    case 'password':
      return <PasswordDialog person={person} onClose={onClose} />;
    case 'move':
      return (
        <ReassignUser
          person={person}
          onClose={onClose}
          onMoved={() => {
            onGone(id);
            onClose();
          }}
        />
      );
    case 'reset':
      return (
        <PersonQuestion
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
        <PersonQuestion
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
        <PersonQuestion
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
