import { ActionIcon, Menu } from '@mantine/core';
import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleOff from '@tabler/icons-react/dist/esm/icons/IconCircleOff.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconMailForward from '@tabler/icons-react/dist/esm/icons/IconMailForward.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconShieldOff from '@tabler/icons-react/dist/esm/icons/IconShieldOff.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs';
import IconUserOff from '@tabler/icons-react/dist/esm/icons/IconUserOff.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { writtenPersonalNumber } from '../../../contract/personal-numbers.ts';
import type { Employee, employeeSorts } from '../../../contract/users.ts';
import { useRoleName } from '../language/role-name.ts';
import { MatchedText } from '../ui/matched-text.tsx';
import type { Column } from '../ui/record-table/columns.ts';
import { Avatar } from './picture-field.tsx';
import type { UserAction, UserRights } from './user-rights.ts';
import classes from './users.module.css';

interface UserMenuProps {
  readonly user: Employee;
  readonly rights: UserRights;
  readonly onAct: (act: UserAction) => void;
}

/** Menu of user actions. Actions that are not allowed are shown disabled, with the reason. */
export const UserMenu = ({ user, rights, onAct }: UserMenuProps) => {
  const { t } = useTranslation(['users', 'lists']);
  const items: readonly { readonly act: UserAction; readonly text: string; readonly icon: ReactNode }[] = [
    { act: 'edit', text: t('edit'), icon: <IconPencil aria-hidden="true" /> },
    { act: 'password', text: t('setPassword'), icon: <IconKey aria-hidden="true" /> },
    { act: 'reset', text: t(user.hasPassword ? 'reset' : 'inviteAgain'), icon: <IconMailForward aria-hidden="true" /> },
    ...(user.twoFactorEnabled
      ? [{ act: 'two-factor' as const, text: t('turnOffTwoFactor'), icon: <IconShieldOff aria-hidden="true" /> }]
      : []),
    ...(user.isActive
      ? [{ act: 'sessions' as const, text: t('endSessions'), icon: <IconLogout aria-hidden="true" /> }]
      : []),
    user.isActive
      ? { act: 'status', text: t('deactivate'), icon: <IconUserOff aria-hidden="true" /> }
      : { act: 'status', text: t('activate'), icon: <IconUserCheck aria-hidden="true" /> },
    ...(user.customerId === null
      ? []
      : [{ act: 'move' as const, text: t('move'), icon: <IconArrowsExchange aria-hidden="true" /> }]),
    { act: 'delete', text: t('delete'), icon: <IconTrash aria-hidden="true" /> },
  ];
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('lists:moreFor', { name: `${user.firstName} ${user.lastName}` })}
        >
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ act, text, icon }) => {
          const reason = rights.disabledReason(act, user);
          return (
            <Menu.Item
              key={act}
              leftSection={icon}
              color={act === 'delete' ? 'red' : undefined}
              disabled={reason !== null}
              onClick={() => onAct(act)}
            >
              {text}
              {reason && <span className={classes.reason}>{reason}</span>}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
};

export type UserSort = (typeof employeeSorts)[number];

/** An invited user has not chosen a password yet. */
const statusOf = ({ isActive, hasPassword }: Employee) => {
  if (!isActive) return 'isInactive';
  return hasPassword ? 'isActive' : 'isInvited';
};

export const nameOf = ({ firstName, lastName }: Employee): string => `${firstName} ${lastName}`;

/** Returns the columns of a user table. `withClinic`: users of several clinics. `query`: highlighted text. */
export const useUserColumns = (
  withClinic: boolean,
  ownId: string | null,
  query: string,
): readonly Column<Employee, UserSort>[] => {
  const { t, i18n } = useTranslation('users');
  const roleName = useRoleName();
  const day = (moment: string) => new Date(moment).toLocaleDateString(i18n.language === 'no' ? 'nb' : i18n.language);
  const listName = ({ firstName, lastName }: Employee) => `${lastName}, ${firstName}`;
  return [
    {
      key: 'name',
      name: t('name'),
      sort: 'name',
      widthShare: 1.65,
      text: listName,
      render: (row) => (
        <span className={classes.name}>
          <Avatar name={nameOf(row)} picture={row.picture} />
          <span>
            <MatchedText text={listName(row)} query={query} />
            {row.id === ownId && <span className={classes.dimmed}> ({t('you')})</span>}
          </span>
        </span>
      ),
    },
    {
      key: 'email',
      name: t('email'),
      sort: 'email',
      widthShare: 1.85,
      text: ({ email }) => email,
      render: ({ email }) => <MatchedText text={email} query={query} />,
    },
    ...(withClinic
      ? [{ key: 'clinic', name: t('clinic'), widthShare: 1.4, text: ({ customer }: Employee) => customer?.name ?? '' }]
      : []),
    { key: 'role', name: t('role'), sort: 'role', widthShare: 1.38, text: ({ role }) => roleName(role.name) },
    {
      key: 'status',
      name: t('status'),
      sort: 'status',
      narrow: true,
      widthShare: 0.75,
      text: (row) => t(statusOf(row)),
      render: (row) => (
        <span className={classes.state} data-on={row.isActive || undefined}>
          {row.isActive ? <IconCircleCheck aria-hidden="true" /> : <IconCircleOff aria-hidden="true" />}
          {t(statusOf(row))}
        </span>
      ),
    },
    {
      key: 'hiredSince',
      name: t('hiredSince'),
      sort: 'hiredSince',
      widthShare: 0.95,
      text: ({ hiredSince }) => hiredSince ?? '',
    },
    { key: 'telephone', name: t('telephone'), widthShare: 1.1, text: ({ telephone }) => telephone ?? '' },
    {
      key: 'personalNumber',
      name: t('personalNumber'),
      byDefault: false,
      text: ({ personalNumber, customer }) =>
        personalNumber ? writtenPersonalNumber(personalNumber, customer?.country ?? null) : '',
    },
    {
      key: 'azureUsername',
      name: t('azureUsername'),
      byDefault: false,
      text: ({ azureUsername }) => azureUsername ?? '',
    },
    {
      key: 'twoFactor',
      name: t('twoFactor'),
      byDefault: false,
      widthShare: 0.7,
      text: ({ twoFactorEnabled }) => t(twoFactorEnabled ? 'on' : 'off'),
    },
    {
      key: 'securityStamp',
      name: t('securityStamp'),
      byDefault: false,
      widthShare: 1.6,
      text: ({ securityStamp }) => securityStamp,
    },
    { key: 'created', name: t('created'), byDefault: false, text: ({ createdAt }) => day(createdAt) },
  ];
};
