import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleOff from '@tabler/icons-react/dist/esm/icons/IconCircleOff.mjs';
import { useTranslation } from 'react-i18next';
import { writtenPersonalNumber } from '../../../contract/personal-numbers.ts';
import type { Employee, employeeSorts } from '../../../contract/users.ts';
import { useRoleName } from '../language/role-name.ts';
import { MatchedText } from '../parts/matched-text.tsx';
import { PersonFace } from '../parts/person-face.tsx';
import type { Column } from '../parts/record-table/columns.ts';
import classes from './people.module.css';

export type PeopleSort = (typeof employeeSorts)[number];

export const nameOf = ({ firstName, lastName }: Employee): string => `${firstName} ${lastName}`;

/** What a table of people can show. `withClinic`: they are of several. `query`: what was searched for. */
export const usePeopleColumns = (
  withClinic: boolean,
  ownId: string | null,
  query: string,
): readonly Column<Employee, PeopleSort>[] => {
  const { t, i18n } = useTranslation('people');
  const roleName = useRoleName();
  const day = (moment: string) => new Date(moment).toLocaleDateString(i18n.language === 'no' ? 'nb' : i18n.language);
  const listName = ({ firstName, lastName }: Employee) => `${lastName}, ${firstName}`;
  return [
    {
      key: 'name',
      name: t('name'),
      sort: 'name',
      share: 1.6,
      text: listName,
      render: (row) => (
        <span className={classes.name}>
          <PersonFace name={nameOf(row)} picture={row.picture} />
          <span>
            <MatchedText text={listName(row)} query={query} />
            {row.id === ownId && <span className={classes.quiet}> ({t('you')})</span>}
          </span>
        </span>
      ),
    },
    {
      key: 'email',
      name: t('email'),
      sort: 'email',
      share: 1.8,
      text: ({ email }) => email,
      render: ({ email }) => <MatchedText text={email} query={query} />,
    },
    ...(withClinic
      ? [{ key: 'clinic', name: t('clinic'), share: 1.4, text: ({ customer }: Employee) => customer?.name ?? '' }]
      : []),
    { key: 'role', name: t('role'), sort: 'role', share: 1.2, text: ({ role }) => roleName(role.name) },
    {
      key: 'status',
      name: t('status'),
      sort: 'status',
      narrow: true,
      share: 0.75,
      text: ({ isActive }) => t(isActive ? 'isActive' : 'isInactive'),
      render: ({ isActive }) => (
        <span className={classes.state} data-on={isActive || undefined}>
          {isActive ? <IconCircleCheck aria-hidden="true" /> : <IconCircleOff aria-hidden="true" />}
          {t(isActive ? 'isActive' : 'isInactive')}
        </span>
      ),
    },
    {
      key: 'hiredSince',
      name: t('hiredSince'),
      sort: 'hiredSince',
      text: ({ hiredSince }) => hiredSince ?? '',
    },
    { key: 'telephone', name: t('telephone'), share: 1.15, text: ({ telephone }) => telephone ?? '' },
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
      share: 0.7,
      text: ({ twoFactorEnabled }) => t(twoFactorEnabled ? 'on' : 'off'),
    },
    {
      key: 'securityStamp',
      name: t('securityStamp'),
      byDefault: false,
      share: 1.6,
      text: ({ securityStamp }) => securityStamp,
    },
    { key: 'created', name: t('created'), byDefault: false, text: ({ createdAt }) => day(createdAt) },
  ];
};
