import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { Country } from '../../../contract/customers.ts';
import type { Employee } from '../../../contract/users.ts';
import { type SessionActor, selectPermission, selectUser } from '../../machines/session/session.machine.ts';
import { useAppContext } from '../app/app-context.tsx';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { DrawerForm } from '../forms/drawer-form.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { defaultLanguage, languageOf } from '../language/languages.ts';
import { toast } from '../ui/toast.ts';
import type { PictureChange } from './picture-field.tsx';
import { LinkDialog, type LinkToCopy } from './reset-link-dialog.tsx';
import { fittingRoles, type UserValues } from './user-form.rules.ts';
import { UserForm } from './user-form.tsx';
import { rolesToGive } from './user-rights.ts';
import classes from './users.module.css';

/** Clinic of a user. Null: none, for super administrators. */
export type Membership = { readonly id: string; readonly country: Country } | null;

interface UserDrawerProps {
  readonly session: SessionActor;
  /** Null: a new user. */
  readonly user: Employee | null;
  readonly clinic: Membership;
  readonly onClose: () => void;
}

/** Reads the current version of the user: found by e-mail address, or by name when the address changed. */
const useFindAgain = () => {
  const administration = useAdministration();
  const client = useQueryClient();
  return async (user: Employee): Promise<Employee | null> => {
    const list = user.customerId === null ? 'super-administrators' : { customerId: user.customerId };
    for (const text of [user.email, user.lastName]) {
      const query = { q: text.slice(0, bounds.query[1]), page: 1, ppage: 100 };
      const { data } = await client.fetchQuery({ ...administration.users(list, query), staleTime: 0 });
      const found = data.find(({ id }) => id === user.id);
      if (found) return found;
    }
    return null;
  };
};

/** Adds or edits a user in a drawer. On a version conflict the user can load the newer values. */
export const UserDrawer = ({ session, user, clinic, onClose }: UserDrawerProps) => {
  const { t, i18n } = useTranslation(['users', 'shell', 'failure']);
  const administration = useAdministration();
  const failureText = useFailureText();
  const findAgain = useFindAgain();
  const { passwords } = useAppContext();
  const isMailed = useQuery(useAppQueries().welcome()).data?.hasMailServer ?? true;
  const [dirty, setDirty] = useState(false);
  const [invitation, setInvitation] = useState<{ readonly name: string; readonly link: LinkToCopy } | null>(null);
  const [{ known, formKey }, setKnown] = useState({ known: user, formKey: 0 });
  const permission = useSelector(session, selectPermission);
  const ownId = useSelector(session, selectUser)?.id;
  const { data, error } = useQuery(administration.roles());
  const close = t('shell:close');

  const changePicture = async (id: string, picture: PictureChange): Promise<void> => {
    if (picture === 'none') await administration.deletePicture(id);
    else if (picture) await administration.savePicture(id, picture);
  };
  const save = async (values: UserValues, picture: PictureChange) => {
    const { password, invites, roles, azureUsername, ...rest } = values;
    const fields = {
      ...rest,
      roles: [roles],
      azureUsername: azureUsername.trim() || null,
      avatarLink: known?.avatarLink ?? null,
      customerId: clinic?.id ?? null,
    };
    const saved = known
      ? await administration.updateAccount({
          ...fields,
          id: known.id,
          securityStamp: known.securityStamp,
          version: known.version,
        })
      : await administration.createAccount({ ...fields, ...(invites ? {} : { password }) });
    const name = `${saved.firstName} ${saved.lastName}`;
    try {
      await changePicture(saved.id, picture);
    } catch (reason) {
      setKnown({ known: saved, formKey: formKey + 1 });
      toast({ tone: 'bad', text: t('pictureFailed', { reason: failureText(failureOfQuery(reason)) }), close });
      return;
    }
    if (!known && invites) return invite(saved);
    toast({ tone: 'good', text: t(known ? 'saved' : 'added', { name }), close });
    onClose();
  };
  const invite = async (added: Employee) => {
    const name = `${added.firstName} ${added.lastName}`;
    try {
      const reply = await passwords.createLink(added.id, languageOf(i18n.language) ?? defaultLanguage);
      if (reply.delivery === 'copy') return setInvitation({ name, link: reply });
      toast({ tone: 'good', text: t('invited', { name, email: added.email }), close });
    } catch (reason) {
      toast({ tone: 'bad', text: t('notInvited', { name, reason: failureText(failureOfQuery(reason)) }), close });
    }
    onClose();
  };
  const loadLatest = async () => {
    if (!known) return;
    try {
      const latest = await findAgain(known);
      if (latest) return setKnown({ known: latest, formKey: formKey + 1 });
      toast({ tone: 'bad', text: t('failure:user-not-found'), close });
      onClose();
    } catch (reason) {
      toast({ tone: 'bad', text: failureText(failureOfQuery(reason)), close });
    }
  };
  // The form waits for the list of roles, but is shown when the list cannot be loaded.
  if (!data && !error) return null;
  if (invitation) return <LinkDialog {...invitation} onClose={onClose} />;
  const roles = fittingRoles(rolesToGive(data ?? [], permission), clinic !== null);
  const texts = () => {
    if (known) return { title: t('edit'), submit: t('save') };
    const add = t(clinic ? 'add' : 'addSuper');
    return { title: add, submit: add };
  };
  const { title, submit } = texts();
  const day = new Date(known?.createdAt ?? 0).toLocaleDateString(i18n.language === 'no' ? 'nb' : i18n.language);
  return (
    <DrawerForm title={title} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <>
          <UserForm
            key={formKey}
            known={known}
            country={clinic?.country ?? null}
            roles={roles}
            rolesAway={error ? t('rolesAway', { reason: failureText(failureOfQuery(error)) }) : null}
            isMailed={isMailed}
            isOneself={known?.id === ownId}
            submit={submit}
            onDirty={setDirty}
            onCancel={leave}
            onLoadLatest={() => void loadLatest()}
            onSubmit={save}
          />
          {known && (
            <dl className={classes.stamp}>
              <dt>{t('securityStamp')}</dt>
              <dd>{known.securityStamp}</dd>
              <p className={classes.dimmed}>{t('securityStampHelp')}</p>
              <p className={classes.dimmed}>
                {t('created')} {day}
              </p>
            </dl>
          )}
        </>
      )}
    </DrawerForm>
  );
};
