import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Role } from '../../../contract/roles.ts';
import { useRoleName } from '../language/role-name.ts';
import classes from './roles.module.css';

interface RoleListProps {
  readonly roles: readonly Role[];
  readonly chosen: string | null;
  /** The role of the person at the screen. */
  readonly own: string | null;
  readonly onChoose: (role: Role) => void;
}

/** Roles by rank, the highest first. */
export const RoleList = ({ roles, chosen, own, onChoose }: RoleListProps) => {
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
              <span className={classes.quiet}>{t('rankOf', { rank: role.rank })}</span>
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
