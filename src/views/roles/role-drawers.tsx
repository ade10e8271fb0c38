import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Role } from '../../../contract/roles.ts';
import { useAdministration } from '../administration.ts';
import { DrawerForm } from '../forms/drawer-form.tsx';
import { useKnown } from '../forms/use-known.ts';
import { useRoleName } from '../language/role-name.ts';
import { toast } from '../parts/toast.ts';
import { copied } from './rights.rules.ts';
import { RoleForm } from './role-form.tsx';
import type { Viewer } from './roles.ts';

interface RenameRoleProps {
  readonly role: Role;
  readonly viewer: Viewer;
  readonly onClose: () => void;
}

/** Name and rank of a role. Who was later than somebody else is told, and can take up theirs. */
export const RenameRole = ({ role, viewer, onClose }: RenameRoleProps) => {
  const { t } = useTranslation(['role-admin', 'shell']);
  const administration = useAdministration();
  const [dirty, setDirty] = useState(false);
  const { known, edition, loadTheirs } = useKnown(
    role,
    () => administration.roles(),
    (roles) => roles.find(({ id }) => id === role.id),
  );
  return (
    <DrawerForm title={t('editTitle', { name: known.name })} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <RoleForm
          key={edition}
          known={known}
          own={viewer.own}
          sources={null}
          submit={t('save')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadTheirs={loadTheirs}
          onSubmit={async ({ name, rank }) => {
            const saved = await administration.updateRole({ id: known.id, name, rank, version: known.version });
            toast({ tone: 'good', text: t('saved', { name: saved.name }), close: t('shell:close') });
            onClose();
          }}
        />
      )}
    </DrawerForm>
  );
};

interface AddRoleProps {
  /** The role that is copied; null: none yet. */
  readonly from: Role | null;
  readonly roles: readonly Role[];
  readonly viewer: Viewer;
  readonly onClose: () => void;
  readonly onAdded: (role: Role) => void;
}

/** A new role, with the rights of another one as far as this person may give them. */
export const AddRole = ({ from, roles, viewer, onClose, onAdded }: AddRoleProps) => {
  const { t } = useTranslation(['role-admin', 'shell']);
  const roleName = useRoleName();
  const administration = useAdministration();
  const [dirty, setDirty] = useState(false);
  const sources = roles.map(({ id, name, claims, rank }) => ({
    ...{ id, rank, name: roleName(name) },
    ...copied(viewer.permission, claims),
  }));
  return (
    <DrawerForm title={t('newTitle')} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <RoleForm
          known={from && { name: t('copyOf', { name: roleName(from.name) }), rank: from.rank, from: from.id }}
          own={viewer.own}
          sources={sources}
          submit={t('create')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadTheirs={null}
          onSubmit={async ({ name, rank, from: source }) => {
            const { claims } = sources.find(({ id }) => id === source) ?? copied(viewer.permission, []);
            const added = await administration.createRole({ name, rank, roleClaims: [...claims] });
            toast({ tone: 'good', text: t('created', { name: added.name }), close: t('shell:close') });
            onAdded(added);
          }}
        />
      )}
    </DrawerForm>
  );
};
