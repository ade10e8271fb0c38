import { ActionIcon, Menu } from '@mantine/core';
import IconAddressBook from '@tabler/icons-react/dist/esm/icons/IconAddressBook.mjs';
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { useTranslation } from 'react-i18next';

export type ClinicCommand = 'file' | 'directory' | 'services' | 'devices' | 'policy';

interface ClinicMenuProps {
  readonly clinicName: string;
  readonly canAddUsers: boolean;
  readonly canChangeClinic: boolean;
  readonly onCommand: (command: ClinicCommand) => void;
}

/** Commands for all users of a clinic, needed too rarely for buttons of their own. Nothing without a right to any. */
export const ClinicMenu = ({ clinicName, canAddUsers, canChangeClinic, onCommand }: ClinicMenuProps) => {
  const { t } = useTranslation(['users', 'lists']);
  if (!canAddUsers && !canChangeClinic) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('lists:moreFor', { name: clinicName })}>
          <IconDots aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canAddUsers && (
          <Menu.Item leftSection={<IconFileSpreadsheet aria-hidden="true" />} onClick={() => onCommand('file')}>
            {t('fileOpen')}
          </Menu.Item>
        )}
        {canChangeClinic && (
          <>
            <Menu.Item leftSection={<IconAddressBook aria-hidden="true" />} onClick={() => onCommand('directory')}>
              {t('directory')}
            </Menu.Item>
            <Menu.Item leftSection={<IconKey aria-hidden="true" />} onClick={() => onCommand('services')}>
              {t('service')}
            </Menu.Item>
            <Menu.Item leftSection={<IconDeviceDesktop aria-hidden="true" />} onClick={() => onCommand('devices')}>
              {t('device')}
            </Menu.Item>
            <Menu.Item leftSection={<IconLock aria-hidden="true" />} onClick={() => onCommand('policy')}>
              {t('policy')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};
