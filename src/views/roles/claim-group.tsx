import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Claim, ClaimGroup as Group } from '../../../contract/claims.ts';
import { claimsOfGroup, isAllowed, mayToggle, withAllowed } from './rights.rules.ts';
import classes from './roles.module.css';

interface ClaimGroupProps {
  readonly group: Group;
  /** Claims of the person at the screen. */
  readonly own: readonly string[];
  /** Claims that the role has in the archive. */
  readonly saved: readonly string[];
  readonly claims: readonly Claim[];
  readonly readOnly: boolean;
  readonly onClaims: (claims: readonly Claim[]) => void;
}

/** Rights of one kind. A tick means "may", for the claims too that take something away: those are held when there is none. */
export const ClaimGroup = ({ group, own, saved, claims, readOnly, onClaims }: ClaimGroupProps) => {
  const { t } = useTranslation(['role-admin', 'claims']);
  const names = claimsOfGroup(group);
  const allowed = names.filter((claim) => isAllowed(claims, claim));
  const free = names.filter((claim) => mayToggle(own, saved, claims, claim));
  const toggleAll = () => {
    const wanted = free.some((claim) => !isAllowed(claims, claim));
    onClaims(free.reduce((next, claim) => withAllowed(next, claim, wanted), claims));
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
        <span className={classes.quiet}>{t('counted', { count: allowed.length, of: names.length })}</span>
      </legend>
      <div className={classes.claims}>
        {names.map((claim) => {
          const locked = !mayToggle(own, saved, claims, claim);
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
