import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { Country } from '../../../contract/customers.ts';
import type { Employee } from '../../../contract/users.ts';
import { type SessionActor, selectPermission, selectUser } from '../../machines/session/session.machine.ts';
import { useAdministration } from '../administration.ts';
import { DrawerForm } from '../forms/drawer-form.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { toast } from '../parts/toast.ts';
import { failureOfQuery } from '../reading.tsx';
import classes from './people.module.css';
import { fittingRoles, type PersonValues } from './person-form.rules.ts';
import { PersonForm } from './person-form.tsx';
import { rolesToGive } from './person-rights.ts';
import type { PictureChange } from './picture-field.tsx';

/** Where somebody belongs. Null: to no clinic, as super administrators. */
export type Belonging = { readonly id: string; readonly country: Country } | null;

interface PersonDrawerProps {
  readonly session: SessionActor;
  /** Null: adds somebody. */
  readonly person: Employee | null;
  readonly clinic: Belonging;
  readonly onClose: () => void;
}

/** The person as the archive has them now: found by their address, or by the name where that was changed. */
const useFindAgain = () => {
  const administration = useAdministration();
  const client = useQueryClient();
  return async (person: Employee): Promise<Employee | null> => {
    const list = person.customerId === null ? 'super-administrators' : { customerId: person.customerId };
    for (const text of [person.email, person.lastName]) {
      const asked = { q: text.slice(0, bounds.query[1]), page: 1, ppage: 100 };
      const { data } = await client.fetchQuery({ ...administration.people(list, asked), staleTime: 0 });
      const found = data.find(({ id }) => id === person.id);
      if (found) return found;
    }
    return null;
  };
};

/** Adds or changes a person, in a drawer beside the list. Who was later than somebody else is told, and can take up theirs. */
export const PersonDrawer = ({ session, person, clinic, onClose }: PersonDrawerProps) => {
  const { t, i18n } = useTranslation(['people', 'shell', 'failure']);
  const administration = useAdministration();
  const failureText = useFailureText();
  const findAgain = useFindAgain();
  const [dirty, setDirty] = useState(false);
  const [{ known, edition }, setKnown] = useState({ known: person, edition: 0 });
  const permission = useSelector(session, selectPermission);
  const ownId = useSelector(session, selectUser)?.id;
  const { data, error } = useQuery(administration.roles());
  const close = t('shell:close');

  const changePicture = async (id: string, picture: PictureChange): Promise<void> => {
    if (picture === 'none') await administration.deletePicture(id);
    else if (picture) await administration.savePicture(id, picture);
  };
  const save = async (values: PersonValues, picture: PictureChange) => {
    const { password, roles, azureUsername, ...rest } = values;
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
      : await administration.createAccount({ ...fields, password });
    const name = `${saved.firstName} ${saved.lastName}`;
    try {
      await changePicture(saved.id, picture);
    } catch (reason) {
      setKnown({ known: saved, edition: edition + 1 });
      toast({ tone: 'bad', text: t('pictureFailed', { reason: failureText(failureOfQuery(reason)) }), close });
      return;
    }
    toast({ tone: 'good', text: t(known ? 'saved' : 'added', { name }), close });
    onClose();
  };
  const loadTheirs = async () => {
    if (!known) return;
    try {
      const theirs = await findAgain(known);
      if (theirs) return setKnown({ known: theirs, edition: edition + 1 });
      toast({ tone: 'bad', text: t('failure:user-not-found'), close });
      onClose();
    } catch (reason) {
      toast({ tone: 'bad', text: failureText(failureOfQuery(reason)), close });
    }
  };
  // The form begins with the roles that there are; without them it waits, but not for a refusal.
  if (!data && !error) return null;
  const roles = fittingRoles(rolesToGive(data ?? [], permission), clinic !== null);
  const words = () => {
    if (known) return { title: t('edit'), submit: t('save') };
    const add = t(clinic ? 'add' : 'addSuper');
    return { title: add, submit: add };
  };
  const { title, submit } = words();
  const day = new Date(known?.createdAt ?? 0).toLocaleDateString(i18n.language === 'no' ? 'nb' : i18n.language);
  return (
    <DrawerForm title={title} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <>
          <PersonForm
            key={edition}
            known={known}
            country={clinic?.country ?? null}
            roles={roles}
            rolesAway={error ? t('rolesAway', { reason: failureText(failureOfQuery(error)) }) : null}
            isOneself={known?.id === ownId}
            submit={submit}
            onDirty={setDirty}
            onCancel={leave}
            onLoadTheirs={() => void loadTheirs()}
            onSubmit={save}
          />
          {known && (
            <dl className={classes.stamp}>
              <dt>{t('securityStamp')}</dt>
              <dd>{known.securityStamp}</dd>
              <p className={classes.quiet}>{t('securityStampHelp')}</p>
              <p className={classes.quiet}>
                {t('created')} {day}
              </p>
            </dl>
          )}
        </>
      )}
    </DrawerForm>
  );
};
