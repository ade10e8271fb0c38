import { Menu } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { useTranslation } from 'react-i18next';
import { useKeyText } from './shortcuts.ts';
import type { ToolAction } from './tool-groups.ts';
import { toolIcons } from './tool-icons.tsx';
import type { ViewerCommand } from './viewer-commands.ts';
import classes from './viewer-toolbar.module.css';

interface ToolItemsProps {
  readonly actions: readonly ToolAction[];
  readonly onCommand: (command: ViewerCommand) => void;
}

/** Tools as items of a menu. */
export const ToolItems = ({ actions, onCommand }: ToolItemsProps) => {
  const { t } = useTranslation('viewer');
  const keyText = useKeyText();
  return actions.map((action) => (
    <Menu.Item
      key={action.id}
      disabled={action.reason !== null}
      title={action.reason ? t(action.reason) : undefined}
      leftSection={<span className={classes.menuIcon}>{toolIcons[action.id]}</span>}
      rightSection={
        <span className={classes.menuEnd}>
          {action.active && <IconCheck aria-label={t('on')} />}
          {action.shortcut && <kbd>{keyText(action.shortcut)}</kbd>}
        </span>
      }
      onClick={() => onCommand(action.command)}
    >
      {t(`tool-${action.id}`)}
    </Menu.Item>
  ));
};
