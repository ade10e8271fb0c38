import { ActionIcon, Menu } from '@mantine/core';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useSelector } from '@xstate/react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { type Claim, hasClaim } from '../../../contract/claims.ts';
import type { Customer } from '../../../contract/customers.ts';
import {
  type SessionActor,
  selectClinic,
  selectPermission,
  selectUser,
} from '../../machines/session/session.machine.ts';
import { clinicUsersPath } from '../app/paths.ts';
import { useFailureText } from '../language/failure-text.ts';
import { AddClinic, EditClinic } from './clinic-drawer.tsx';
import classes from './clinics.module.css';
import { DeleteClinic } from './delete-clinic.tsx';
import { DeletedClinics } from './deleted-clinics.tsx';

/** Menu of clinic actions. Actions that are not allowed are shown disabled, with the reason. */
export const ClinicMenu = ({ clinic, actions }: { readonly clinic: Customer; readonly actions: ClinicActions }) => {
  const { t } = useTranslation(['clinics', 'lists']);
  const items = [
    { action: 'clinicUsers', icon: <IconUsers aria-hidden="true" />, onClick: () => actions.openUsers(clinic) },
    { action: 'edit', icon: <IconPencil aria-hidden="true" />, onClick: () => actions.edit(clinic) },
    { action: 'delete', icon: <IconTrash aria-hidden="true" />, onClick: () => actions.remove(clinic) },
  ] as const;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('lists:moreFor', { name: clinic.name })}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconBuilding aria-hidden="true" />} onClick={() => actions.work(clinic)}>
          {t('work')}
        </Menu.Item>
        {items.map(({ action, icon, onClick }) => {
          const reason = actions.disabledReason(action, clinic);
          return (
            <Menu.Item
              key={action}
              leftSection={icon}
              color={action === 'delete' ? 'red' : undefined}
              disabled={reason !== null}
              onClick={onClick}
            >
              {t(action)}
              {reason && <span className={classes.reason}>{reason}</span>}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
};

type DialogRequest =
  | { readonly kind: 'edit' | 'delete'; readonly clinic: Customer }
  | { readonly kind: 'add' | 'deleted' };

type ClinicAction = 'add' | 'edit' | 'delete' | 'clinicUsers' | 'restore';

export interface ClinicActions {
  /** Makes the clinic the current one. */
  readonly work: (clinic: Customer) => void;
  readonly openUsers: (clinic: Customer) => void;
  readonly edit: (clinic: Customer) => void;
  readonly remove: (clinic: Customer) => void;
  readonly add: () => void;
  /** Shows the deleted clinics, which can be restored. */
  readonly showDeleted: () => void;
  /** Returns the translated reason why an action is disabled, or null when it is allowed. */
  readonly disabledReason: (action: ClinicAction, clinic?: Customer) => string | null;
}

const claimOf: Readonly<Record<ClinicAction, Claim>> = {
  add: 'customer.create',
  edit: 'customer.update',
  delete: 'customer.delete',
  clinicUsers: 'user.get',
  restore: 'customer.delete',
};
/** Claims needed in addition for a clinic other than the user's own. */
const anyClinic: Claim = 'customer.get_byid';

interface Hooks {
  readonly onAdded: (clinic: Customer) => void;
  readonly onGone: (clinic: Customer) => void;
}

/** Returns the clinic actions of the user, and their drawers and dialogs. */
export const useClinicActions = (session: SessionActor, { onAdded, onGone }: Hooks) => {
  const { t } = useTranslation('clinics');
  const failureText = useFailureText();
  const [request, setRequest] = useState<DialogRequest | null>(null);
  const inClinic = useSelector(session, selectClinic)?.id ?? null;
  const user = useSelector(session, selectUser);
  const ownClinic = user?.customerId ?? null;
  const accountId = user?.id ?? null;
  const permission = useSelector(session, selectPermission);
  const isAccessible = (action: ClinicAction, clinic: Customer | undefined) =>
    action !== 'restore' &&
    (action === 'add' || action === 'delete' || clinic === undefined || clinic.id === ownClinic);
  const close = () => setRequest(null);
  const actions: ClinicActions = {
    work: ({ id, name }) => session.send({ type: 'clinic.chosen', clinic: { id, name } }),
    openUsers: ({ id }) => navigate(clinicUsersPath(id)),
    edit: (clinic) => setRequest({ kind: 'edit', clinic }),
    remove: (clinic) => setRequest({ kind: 'delete', clinic }),
    add: () => setRequest({ kind: 'add' }),
    showDeleted: () => setRequest({ kind: 'deleted' }),
    disabledReason: (action, clinic) => {
      const missing = [claimOf[action], ...(isAccessible(action, clinic) ? [] : [anyClinic])].find(
        (claim) => !hasClaim(permission, claim),
      );
      if (missing) return failureText({ kind: 'refused', code: 'no-right', claims: [missing] });
      const isOwn = clinic !== undefined && (clinic.id === inClinic || clinic.id === ownClinic);
      return action === 'delete' && isOwn ? t('disabledOwn') : null;
    },
  };
  const open = () => {
    switch (request?.kind) {
      case 'add':
        return <AddClinic onClose={close} onAdded={onAdded} />;
      case 'deleted':
        return <DeletedClinics accountId={accountId} onClose={close} />;
      case 'edit':
        return <EditClinic clinic={request.clinic} onClose={close} />;
      case 'delete':
        return (
          <DeleteClinic
            clinic={request.clinic}
            onClose={close}
            onGone={() => {
              close();
              onGone(request.clinic);
            }}
          />
        );
      default:
        return null;
    }
  };
  return { actions, dialogs: <Suspense fallback={null}>{open()}</Suspense> };
};
