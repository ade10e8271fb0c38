import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Claim } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import { useAdministration } from '../administration.ts';
import { useFailureText } from '../language/failure-text.ts';
import { useRoleName } from '../language/role-name.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { toast } from '../parts/toast.ts';
import { failureOfQuery } from '../reading.tsx';
import { ClaimGroup } from './claim-group.tsx';
import { countChanges, groupsShown } from './rights.rules.ts';
import classes from './roles.module.css';
import type { Viewer } from './roles.ts';

/** What somebody is about to change. `version`: of the role as they saw it when they began. */
export interface Draft {
  readonly version: number;
  readonly claims: readonly Claim[];
}

interface RightsFormProps {
  readonly role: Role;
  readonly viewer: Viewer;
  /** Null: nothing is changed. */
  readonly draft: Draft | null;
  readonly claims: readonly Claim[];
  readonly onClaims: (claims: readonly Claim[]) => void;
  /** The archive has it, or it is taken back: nothing is left to save. */
  readonly onSettled: (saved: Role | null) => void;
}

type Trouble = { readonly kind: 'conflict' } | { readonly kind: 'failure'; readonly text: string };

/** What a role may do, by group, in words. Every tick is a right; saved together, and told to be of effect on whom. */
export const RightsForm = ({ role, viewer, draft, claims, onClaims, onSettled }: RightsFormProps) => {
  const { t } = useTranslation(['role-admin', 'edit', 'shell']);
  const failureText = useFailureText();
  const roleName = useRoleName();
  const administration = useAdministration();
  const holders = useQuery(administration.usersInRole(role.id, true)).data?.count ?? 0;
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const barred = viewer.barred('rights', role);
  const changes = draft ? countChanges(role.claims, draft.claims) : 0;

  const settle = (saved: Role | null) => {
    setTrouble(null);
    onSettled(saved);
  };
  const save = async () => {
    if (!draft || changes === 0 || busy) return;
    setBusy(true);
    setTrouble(null);
    try {
      const { version } = draft;
      settle(await administration.updateRoleClaims({ id: role.id, roleClaims: [...draft.claims], version }));
      toast({ tone: 'good', text: t('saved', { name: roleName(role.name) }), close: t('shell:close') });
    } catch (error) {
      const failure = failureOfQuery(error);
      setTrouble(failure.code === 'conflict' ? { kind: 'conflict' } : { kind: 'failure', text: failureText(failure) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className={classes.rights}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {barred !== null && <p className={classes.barred}>{barred}</p>}
      {groupsShown.map((group) => (
        <ClaimGroup
          key={group}
          group={group}
          own={viewer.permission}
          saved={role.claims}
          claims={claims}
          readOnly={barred !== null}
          onClaims={onClaims}
        />
      ))}
      <div aria-live="assertive">
        {trouble?.kind === 'failure' && <IconAlert>{trouble.text}</IconAlert>}
        {trouble?.kind === 'conflict' && (
          <div className={classes.conflict}>
            <IconAlert tone="caution">{t('edit:conflict')}</IconAlert>
            <Button variant="default" onClick={() => settle(null)}>
              {t('edit:loadTheirs')}
            </Button>
          </div>
        )}
      </div>
      {changes > 0 && (
        <div className={classes.saving} role="status">
          <p>
            <strong>{t('changes', { count: changes })}</strong>{' '}
            {holders > 0 && <span className={classes.quiet}>{t('endsSessions', { count: holders })}</span>}
          </p>
          <div className={classes.answers}>
            <Button variant="default" disabled={busy} onClick={() => settle(null)}>
              {t('undo')}
            </Button>
            <Button type="submit" loading={busy} disabled={trouble?.kind === 'conflict'}>
              {t('save')}
            </Button>
          </div>
        </div>
      )}
    </form>
  );
};
