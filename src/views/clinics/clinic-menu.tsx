import { ActionIcon, Menu } from '@mantine/core';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useTranslation } from 'react-i18next';
import type { Customer } from '../../../contract/customers.ts';
import type { ClinicDeeds } from './clinic-deeds.tsx';
import classes from './clinics.module.css';

/** What can be done to a clinic. What this person may not do is there, and says why it cannot be chosen. */
export const ClinicMenu = ({ clinic, deeds }: { readonly clinic: Customer; readonly deeds: ClinicDeeds }) => {
  const { t } = useTranslation(['clinics', 'lists']);
  const items = [
    { deed: 'people', icon: <IconUsers aria-hidden="true" />, onClick: () => deeds.people(clinic) },
    { deed: 'edit', icon: <IconPencil aria-hidden="true" />, onClick: () => deeds.edit(clinic) },
    { deed: 'delete', icon: <IconTrash aria-hidden="true" />, onClick: () => deeds.remove(clinic) },
  ] as const;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('lists:moreFor', { name: clinic.name })}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconBuilding aria-hidden="true" />} onClick={() => deeds.work(clinic)}>
          {t('work')}
        </Menu.Item>
        {items.map(({ deed, icon, onClick }) => {
          const reason = deeds.barred(deed, clinic);
          return (
            <Menu.Item
              key={deed}
              leftSection={icon}
              color={deed === 'delete' ? 'red' : undefined}
              disabled={reason !== null}
              onClick={onClick}
            >
              {t(deed)}
              {reason && <span className={classes.reason}>{reason}</span>}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
};
