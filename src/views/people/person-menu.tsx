import { ActionIcon, Menu } from '@mantine/core';
import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import IconMailForward from '@tabler/icons-react/dist/esm/icons/IconMailForward.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs';
import IconUserOff from '@tabler/icons-react/dist/esm/icons/IconUserOff.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Employee } from '../../../contract/users.ts';
import classes from './people.module.css';
import type { PeopleRights, PersonAct } from './person-rights.ts';

interface PersonMenuProps {
  readonly person: Employee;
  readonly rights: PeopleRights;
  readonly onAct: (act: PersonAct) => void;
}

/** What can be done to a person. What one may not do is there, and says why it cannot be chosen. */
export const PersonMenu = ({ person, rights, onAct }: PersonMenuProps) => {
  const { t } = useTranslation(['people', 'lists']);
  const items: readonly { readonly act: PersonAct; readonly text: string; readonly icon: ReactNode }[] = [
    { act: 'edit', text: t('edit'), icon: <IconPencil aria-hidden="true" /> },
    { act: 'password', text: t('setPassword'), icon: <IconKey aria-hidden="true" /> },
    { act: 'reset', text: t('reset'), icon: <IconMailForward aria-hidden="true" /> },
    person.isActive
      ? { act: 'status', text: t('deactivate'), icon: <IconUserOff aria-hidden="true" /> }
      : { act: 'status', text: t('activate'), icon: <IconUserCheck aria-hidden="true" /> },
    ...(person.customerId === null
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
          aria-label={t('lists:moreFor', { name: `${person.firstName} ${person.lastName}` })}
        >
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ act, text, icon }) => {
          const reason = rights.barred(act, person);
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
