import { Menu } from '@mantine/core';
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { viewerLink } from '../../../../contract/study-viewers.ts';
import { selectUser } from '../../../machines/session/session.machine.ts';
import { useWorkspace } from '../workspace-context.ts';

/** Menu items that open a study in the other viewers of the clinic. */
export const OtherViewers = ({ studyUid }: { readonly studyUid: string }) => {
  const { t } = useTranslation('patient');
  const user = useSelector(useWorkspace().session, selectUser);
  return user?.viewers.map(({ name, address }) => (
    <Menu.Item
      key={name}
      component="a"
      href={viewerLink(address, studyUid)}
      target="_blank"
      rel="noopener noreferrer"
      leftSection={<IconExternalLink aria-hidden="true" />}
    >
      {t('openIn', { viewer: name })}
    </Menu.Item>
  ));
};
