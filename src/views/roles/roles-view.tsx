import { Badge } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { isClaim } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { optional, useUrlState } from '../app/url-state.ts';
import { UnsavedDialog, useUnsavedGuard } from '../forms/unsaved-changes.tsx';
import { useRoleName } from '../language/role-name.ts';
import { DisableableButton } from '../ui/disableable-button.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { DeleteRole } from './delete-role.tsx';
import type { Draft } from './rights-form.tsx';
import { RoleDetail } from './role-detail.tsx';
import { AddRole, RenameRole } from './role-drawers.tsx';
import classes from './roles.module.css';
import { useViewer } from './roles.ts';

interface RoleListProps {
  readonly roles: readonly Role[];
  readonly chosen: string | null;
  /** Role of the signed-in user. */
  readonly own: string | null;
  readonly onChoose: (role: Role) => void;
}

/** Lists roles by rank, highest first. */
const RoleList = ({ roles, chosen, own, onChoose }: RoleListProps) => {
  const { t } = useTranslation('role-admin');
  const roleName = useRoleName();
  return (
    <nav className={classes.list} aria-label={t('list')}>
      <ul>
        {roles.map((role) => (
          <li key={role.id}>
            <button
              type="button"
              className={classes.row}
              aria-current={role.id === chosen}
              onClick={() => onChoose(role)}
            >
              <span className={classes.rowName}>{roleName(role.name)}</span>
              <span className={classes.dimmed}>{t('rankOf', { rank: role.rank })}</span>
              {(role.isBuiltIn || role.id === own) && (
                <span className={classes.marks}>
                  {role.id === own && (
                    <Badge variant="light" size="sm" tt="none">
                      {t('yours')}
                    </Badge>
                  )}
                  {role.isBuiltIn && (
                    <Badge variant="light" color="gray" size="sm" tt="none">
                      {t('builtIn')}
                    </Badge>
                  )}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const roleSchema = { role: optional(z.string()) };

type DrawerRequest =
  | { readonly kind: 'add'; readonly from: Role | null }
  | { readonly kind: 'rename' | 'delete' | 'leave'; readonly role: Role };

/** Role list on the left, selected role beside it. The URL holds the selection; leaving unsaved changes asks for confirmation. */
export const RolesView = ({ session, roles }: { readonly session: SessionActor; readonly roles: readonly Role[] }) => {
  const { t } = useTranslation('role-admin');
  const client = useQueryClient();
  const administration = useAdministration();
  const viewer = useViewer(session, roles);
  const [{ role: roleId }, changeUrl] = useUrlState(roleSchema);
  const [request, setRequest] = useState<DrawerRequest | null>(null);
  const [changed, setChanged] = useState<(Draft & { readonly roleId: string }) | null>(null);
  const role = roles.find(({ id }) => id === roleId) ?? roles[0];
  const draft = changed !== null && changed.roleId === role?.id ? changed : null;
  const claims = draft?.claims ?? role?.claims.filter(isClaim) ?? [];
  const dirty =
    draft !== null && role !== undefined && [...draft.claims].sort().join() !== [...role.claims].sort().join();
  const leaving = useUnsavedGuard(dirty);

  const close = () => setRequest(null);
  const go = (to: Role | undefined) => {
    setChanged(null);
    close();
    changeUrl({ role: to?.id ?? null });
  };
  const choose = (to: Role) => {
    if (to.id !== role?.id) dirty ? setRequest({ kind: 'leave', role: to }) : go(to);
  };
  /** Writes the server's reply to the cache so that no stale value is shown. */
  const settled = (saved: Role | null) => {
    const { queryKey } = administration.roles();
    if (saved)
      client.setQueryData<readonly Role[]>(queryKey, (known) =>
        known?.map((one) => (one.id === saved.id ? saved : one)),
      );
    else void client.invalidateQueries({ queryKey });
    setChanged(null);
  };
  const dialog = () => {
    switch (request?.kind) {
      case 'add':
        return <AddRole from={request.from} roles={roles} viewer={viewer} onClose={close} onAdded={go} />;
      case 'rename':
        return <RenameRole role={request.role} viewer={viewer} onClose={close} />;
      case 'delete':
        return <DeleteRole role={request.role} roles={roles} viewer={viewer} onClose={close} onGone={go} />;
      case 'leave':
        return <UnsavedDialog onDiscard={() => go(request.role)} onKeep={close} />;
      default:
        return null;
    }
  };
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageHeading>{t('title')}</PageHeading>
        <p className={classes.dimmed}>{t('introduction')}</p>
        <div className={classes.add}>
          <DisableableButton
            reason={viewer.disabledReason('create')}
            leftSection={<IconPlus aria-hidden="true" />}
            onClick={() => setRequest({ kind: 'add', from: null })}
          >
            {t('add')}
          </DisableableButton>
        </div>
      </div>
      <div className={classes.body}>
        <RoleList roles={roles} chosen={role?.id ?? null} own={viewer.own?.id ?? null} onChoose={choose} />
        {role && (
          <RoleDetail
            key={role.id}
            role={role}
            viewer={viewer}
            draft={draft}
            claims={claims}
            dirty={dirty}
            onClaims={(next) => setChanged({ roleId: role.id, version: draft?.version ?? role.version, claims: next })}
            onSettled={settled}
            onRename={() => setRequest({ kind: 'rename', role })}
            onCopy={() => setRequest({ kind: 'add', from: role })}
            onDelete={() => setRequest({ kind: 'delete', role })}
          />
        )}
      </div>
      {dialog()}
      {leaving && (
        <UnsavedDialog
          onDiscard={() => {
            setChanged(null);
            leaving.go();
          }}
          onKeep={leaving.stay}
        />
      )}
    </div>
  );
};
