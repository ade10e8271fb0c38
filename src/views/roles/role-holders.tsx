import { Button, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAdministration } from '../administration.ts';
import classes from './roles.module.css';

interface NamesProps {
  readonly roleId: string;
}

/** People and clinics by name, as far as the archive names them. */
const Names = ({ roleId }: NamesProps) => {
  const { t } = useTranslation('role-admin');
  const administration = useAdministration();
  const people = useQuery(administration.usersInRole(roleId, false)).data;
  const clinics = useQuery(administration.customersByRole(roleId, false)).data;
  const list = (found: typeof people) =>
    found && (
      <ul>
        {found.data.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
        {found.count > found.data.length && (
          <li className={classes.quiet}>{t('andMore', { count: found.count - found.data.length })}</li>
        )}
      </ul>
    );
  return (
    <div className={classes.names} aria-busy={!people || !clinics}>
      {list(people)}
      {list(clinics)}
    </div>
  );
};

/** How many hold a role, in how many clinics; who they are, when asked. */
export const RoleHolders = ({ roleId }: NamesProps) => {
  const { t } = useTranslation('role-admin');
  const administration = useAdministration();
  const users = useQuery(administration.usersInRole(roleId, true)).data?.count;
  const clinics = useQuery(administration.customersByRole(roleId, true)).data?.count;
  const told = () => {
    if (users === undefined || clinics === undefined) return ' ';
    if (users === 0) return t('nobody');
    return clinics === 0
      ? t('holders', { count: users })
      : `${t('holders', { count: users })} ${t('inClinics', { count: clinics })}`;
  };
  return (
    <div className={classes.holders}>
      <span>{told()}</span>
      {users !== undefined && users > 0 && (
        <Popover position="bottom-start" withinPortal trapFocus returnFocus>
          <Popover.Target>
            <Button variant="subtle" size="compact-sm">
              {t('who')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown tabIndex={-1}>
            <Names roleId={roleId} />
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  );
};
