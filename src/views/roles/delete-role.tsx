import { Button, Modal, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { blockingClaims } from '../../../contract/role-rules.ts';
import type { Role } from '../../../contract/roles.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import classes from '../forms/form.module.css';
import { useFailureText } from '../language/failure-text.ts';
import { useRoleName } from '../language/role-name.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import type { Viewer } from './roles.ts';

interface DeleteRoleProps {
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly viewer: Viewer;
  readonly onClose: () => void;
  /** `next`: the replacement role of its users. */
  readonly onGone: (next: Role | undefined) => void;
}

/** Shows the users of a role before its deletion and asks for a replacement role. */
export const DeleteRole = ({ role, roles, viewer, onClose, onGone }: DeleteRoleProps) => {
  const { t } = useTranslation(['role-admin', 'shell']);
  const failureText = useFailureText();
  const roleName = useRoleName();
  const administration = useAdministration();
  const fresh = { staleTime: 0, gcTime: 0 };
  const users = useQuery({ ...administration.usersInRole(role.id, true), ...fresh });
  const clinics = useQuery({ ...administration.customersByRole(role.id, true), ...fresh });
  const [replacement, setReplacement] = useState<string | null>(null);
  const [lacks, setLacks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const name = roleName(role.name);
  const isCounted = users.data !== undefined && clinics.data !== undefined;
  const userCount = users.data?.count ?? 0;
  const inClinics = clinics.data?.count ?? 0;
  const uncounted = users.error ?? clinics.error;
  const choices = roles.filter(
    (one) => one.id !== role.id && blockingClaims(viewer.permission, role.claims, one.claims).length === 0,
  );

  const remove = async () => {
    if (userCount > 0 && replacement === null) {
      setLacks(true);
      field.current?.focus();
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await administration.deleteRole({ deletingRoleId: role.id, applyingRoleId: replacement });
      toast({ tone: 'good', text: t('deleted', { name }), close: t('shell:close') });
      onGone(roles.find(({ id }) => id === replacement));
    } catch (error) {
      const loadFailure = failureOfQuery(error);
      setFailure(failureText(loadFailure));
      setBusy(false);
      // The role was assigned to a user while the dialog was open.
      if (loadFailure.code === 'role-in-use') void Promise.all([users.refetch(), clinics.refetch()]);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isCounted && !busy) void remove();
  };
  const who = () => {
    if (!isCounted) return <Skeleton height={42} />;
    if (userCount === 0) return <p>{t('deleteFree')}</p>;
    return (
      <p>
        <strong>
          {t('holders', { count: userCount })} {inClinics > 0 && t('inClinics', { count: inClinics })}.
        </strong>{' '}
        {t('deleteHeld')}
      </p>
    );
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deleteTitle', { name })}
      size={480}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <form className={classes.form} noValidate onSubmit={submit}>
        <div aria-live="polite" aria-busy={!isCounted}>
          {uncounted ? <IconAlert>{failureText(failureOfQuery(uncounted))}</IconAlert> : who()}
        </div>
        {userCount > 0 && (
          <Select
            ref={field}
            label={t('replacement')}
            data={choices.map((one) => ({ value: one.id, label: roleName(one.name) }))}
            value={replacement}
            error={lacks && t('required')}
            required
            onChange={(value) => {
              setReplacement(value);
              setLacks(false);
            }}
          />
        )}
        <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
        <div className={classes.buttons}>
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" color="red.9" loading={busy} disabled={!isCounted}>
            {t('deleteNow')}
          </Button>
        </div>
      </form>
    </Modal>
  );
};
