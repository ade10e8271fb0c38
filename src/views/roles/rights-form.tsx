import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Claim, canReadOwnClinic, type ClaimGroup as Group } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { useRoleName } from '../language/role-name.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './roles.module.css';
import { canToggle, claimsOfGroup, countChanges, groupsShown, isAllowed, type Viewer, withAllowed } from './roles.ts';

interface ClaimGroupProps {
  readonly group: Group;
  /** Claims of the signed-in user. */
  readonly own: readonly string[];
  /** Stored claims of the role. */
  readonly saved: readonly string[];
  readonly claims: readonly Claim[];
  readonly readOnly: boolean;
  readonly onClaims: (claims: readonly Claim[]) => void;
}

/** Check boxes of one group of claims. Ticked means allowed, also for limiting claims, which are then absent. */
const ClaimGroup = ({ group, own, saved, claims, readOnly, onClaims }: ClaimGroupProps) => {
  const { t } = useTranslation(['role-admin', 'claims']);
  const names = claimsOfGroup(group);
  const allowed = names.filter((claim) => isAllowed(claims, claim));
  const free = names.filter((claim) => canToggle(own, saved, claims, claim));
  const toggleAll = () => {
    const isAllowing = free.some((claim) => !isAllowed(claims, claim));
    onClaims(free.reduce((next, claim) => withAllowed(next, claim, isAllowing), claims));
  };
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>
        <Checkbox
          aria-label={t('all', { group: t(`claims:group-${group}`) })}
          checked={allowed.length === names.length}
          indeterminate={allowed.length > 0 && allowed.length < names.length}
          disabled={readOnly || free.length === 0}
          onChange={toggleAll}
        />
        <span className={classes.groupName}>{t(`claims:group-${group}`)}</span>
        <span className={classes.dimmed}>{t('counted', { count: allowed.length, of: names.length })}</span>
      </legend>
      <div className={classes.claims}>
        {names.map((claim) => {
          const locked = !canToggle(own, saved, claims, claim);
          return (
            <Checkbox
              key={claim}
              label={t(`claims:${claim}`)}
              description={
                <>
                  {t(`claims:${claim}-help`)}
                  {locked && !readOnly && <span className={classes.locked}>{t('notYours')}</span>}
                </>
              }
              title={claim}
              checked={isAllowed(claims, claim)}
              disabled={readOnly || locked}
              onChange={(event) => onClaims(withAllowed(claims, claim, event.currentTarget.checked))}
            />
          );
        })}
      </div>
    </fieldset>
  );
};

/** Unsaved changes. `version`: of the role when editing began. */
export interface Draft {
  readonly version: number;
  readonly claims: readonly Claim[];
}

interface RightsFormProps {
  readonly role: Role;
  readonly viewer: Viewer;
  /** Null: no changes. */
  readonly draft: Draft | null;
  readonly claims: readonly Claim[];
  readonly onClaims: (claims: readonly Claim[]) => void;
  /** The changes were saved or discarded. */
  readonly onSettled: (saved: Role | null) => void;
}

type Trouble = { readonly kind: 'conflict' } | { readonly kind: 'failure'; readonly text: string };

/** Edits the claims of a role by group. They are saved together, with the number of affected users. */
export const RightsForm = ({ role, viewer, draft, claims, onClaims, onSettled }: RightsFormProps) => {
  const { t } = useTranslation(['role-admin', 'claims', 'edit', 'shell']);
  const failureText = useFailureText();
  const roleName = useRoleName();
  const administration = useAdministration();
  const holders = useQuery(administration.usersInRole(role.id, true)).data?.count ?? 0;
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const disabledReason = viewer.disabledReason('rights', role);
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
  // Beside the changes, which stay in view wherever the list of rights was scrolled to.
  const withoutSignIn = !canReadOwnClinic(claims) && (
    <IconAlert tone="caution">
      {t('cannotSignIn')} {t('cannotSignInHelp', { right: t('claims:customer.get_itself') })}
    </IconAlert>
  );
  return (
    <form
      className={classes.rights}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {disabledReason !== null && <p className={classes.disabledReason}>{disabledReason}</p>}
      {changes === 0 && withoutSignIn}
      {groupsShown.map((group) => (
        <ClaimGroup
          key={group}
          group={group}
          own={viewer.permission}
          saved={role.claims}
          claims={claims}
          readOnly={disabledReason !== null}
          onClaims={onClaims}
        />
      ))}
      <div aria-live="assertive">
        {trouble?.kind === 'failure' && <IconAlert>{trouble.text}</IconAlert>}
        {trouble?.kind === 'conflict' && (
          <div className={classes.conflict}>
            <IconAlert tone="caution">{t('edit:conflict')}</IconAlert>
            <Button variant="default" onClick={() => settle(null)}>
              {t('edit:loadCurrent')}
            </Button>
          </div>
        )}
      </div>
      {changes > 0 && (
        <div className={classes.saving} role="status">
          <div>
            <p>
              <strong>{t('changes', { count: changes })}</strong>{' '}
              {holders > 0 && <span className={classes.dimmed}>{t('endsSessions', { count: holders })}</span>}
            </p>
            {withoutSignIn}
          </div>
          <div className={classes.buttons}>
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
