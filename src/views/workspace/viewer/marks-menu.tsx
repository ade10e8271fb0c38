import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ToolGroup } from './tool-groups.ts';
import { toolIcons } from './tool-icons.tsx';
import { ToolItems } from './tool-items.tsx';
import type { ViewerCommand } from './viewer-commands.ts';
import classes from './viewer-toolbar.module.css';

interface MarksMenuProps {
  readonly group: ToolGroup;
  readonly opened: boolean;
  readonly onOpened: (open: boolean) => void;
  readonly onCommand: (command: ViewerCommand) => void;
}

/** One button for all kinds of marks, with the icon of the last used one. */
export const MarksMenu = ({ group, opened, onOpened, onCommand }: MarksMenuProps) => {
  const { t } = useTranslation('viewer');
  const { actions, menuKey } = group;
  const label = t(`group-${group.id}`);
  const current = actions.find(({ active, command }) => active && command.type === 'tool');
  const [last, setLast] = useState(actions[0]?.id);
  if (current && current.id !== last) setLast(current.id);
  return (
    <Menu position="bottom-end" withinPortal opened={opened} onChange={onOpened}>
      <Menu.Target>
        <ActionIcon
          className={classes.more}
          variant="subtle"
          color="gray"
          data-active={current !== undefined || undefined}
          aria-label={label}
          aria-keyshortcuts={menuKey}
          title={`${label} (${menuKey})`}
        >
          {last && toolIcons[last]}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        <ToolItems actions={actions} onCommand={onCommand} />
      </Menu.Dropdown>
    </Menu>
  );
};
