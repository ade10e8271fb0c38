import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import { isClaim } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import { useAdministration } from '../administration.ts';
import { UnsavedQuestion } from '../forms/unsaved-question.tsx';
import { useUnsavedGuard } from '../forms/use-unsaved-guard.ts';
import { BarredButton } from '../parts/barred-button.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { DeleteRole } from './delete-role.tsx';
import type { Draft } from './rights-form.tsx';
import { RoleDetail } from './role-detail.tsx';
import { AddRole, RenameRole } from './role-drawers.tsx';
import { RoleList } from './role-list.tsx';
import classes from './roles.module.css';
import { useViewer } from './roles.ts';

type Wish =
  | { readonly kind: 'add'; readonly from: Role | null }
  | { readonly kind: 'rename' | 'delete' | 'leave'; readonly role: Role };

/** The roles at the left, the chosen one beside them. Which one it is stands in the address; what is changed and not saved is asked about. */
export const RolesRoom = ({ session, roles }: { readonly session: SessionActor; readonly roles: readonly Role[] }) => {
  const { t } = useTranslation('role-admin');
  const client = useQueryClient();
  const administration = useAdministration();
  const viewer = useViewer(session, roles);
  const [params, setParams] = useSearchParams();
  const [wish, setWish] = useState<Wish | null>(null);
  const [changed, setChanged] = useState<(Draft & { readonly roleId: string }) | null>(null);
  const role = roles.find(({ id }) => id === params.get('role')) ?? roles[0];
  const draft = changed !== null && changed.roleId === role?.id ? changed : null;
  const claims = draft?.claims ?? role?.claims.filter(isClaim) ?? [];
  const dirty =
    draft !== null && role !== undefined && [...draft.claims].sort().join() !== [...role.claims].sort().join();
  const leaving = useUnsavedGuard(dirty);

  const close = () => setWish(null);
  const go = (to: Role | undefined) => {
    setChanged(null);
    close();
    setParams((now) => {
      const next = new URLSearchParams(now);
      if (to) next.set('role', to.id);
      else next.delete('role');
      return next;
    });
  };
  const choose = (to: Role) => {
    if (to.id !== role?.id) dirty ? setWish({ kind: 'leave', role: to }) : go(to);
  };
  /** What the archive answered is shown at once, without a moment of the old. */
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
    switch (wish?.kind) {
      case 'add':
        return <AddRole from={wish.from} roles={roles} viewer={viewer} onClose={close} onAdded={go} />;
      case 'rename':
        return <RenameRole role={wish.role} viewer={viewer} onClose={close} />;
      case 'delete':
        return <DeleteRole role={wish.role} roles={roles} viewer={viewer} onClose={close} onGone={go} />;
      case 'leave':
        return <UnsavedQuestion onDiscard={() => go(wish.role)} onKeep={close} />;
      default:
        return null;
    }
  };
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageTitle>{t('title')}</PageTitle>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.quiet}>{t('lead')}</p>
        <div className={classes.add}>
          <BarredButton
            reason={viewer.barred('create')}
            leftSection={<IconPlus aria-hidden="true" />}
            onClick={() => setWish({ kind: 'add', from: null })}
          >
            {t('add')}
          </BarredButton>
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
            onRename={() => setWish({ kind: 'rename', role })}
            onCopy={() => setWish({ kind: 'add', from: role })}
            onDelete={() => setWish({ kind: 'delete', role })}
          />
        )}
      </div>
      {dialog()}
      {leaving && (
        <UnsavedQuestion
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
