import { ActionIcon, Menu } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useElementSize } from '../../ui/element-size.ts';
import { ToolButton } from '../../ui/tool-button.tsx';
import { useKeyText } from './shortcuts.ts';
import { type ToolAction, type ToolGroup, toolGroups } from './tool-groups.ts';
import { toolIcons } from './tool-icons.tsx';
import type { ToolState } from './tool-state.ts';
import type { ViewerCommand } from './viewer-commands.ts';
import classes from './viewer-toolbar.module.css';

interface ToolItemsProps {
  readonly actions: readonly ToolAction[];
  readonly onCommand: (command: ViewerCommand) => void;
}

/** Tools as items of a menu. */
const ToolItems = ({ actions, onCommand }: ToolItemsProps) => {
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

interface MarksMenuProps {
  readonly group: ToolGroup;
  readonly opened: boolean;
  readonly onOpened: (open: boolean) => void;
  readonly onCommand: (command: ViewerCommand) => void;
}

/** One button for all kinds of marks, with the icon of the last used one. */
const MarksMenu = ({ group, opened, onOpened, onCommand }: MarksMenuProps) => {
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

interface MeasuredGroup {
  readonly id: string;
  /** Groups with a lower rank stay in the row longer. */
  readonly rank: number;
  readonly count: number;
}

/** Divider and gap between two groups, in CSS pixels. */
const gap = 9;

/**
 * Returns the groups that fit into a row of `available` CSS pixels; the rest goes into the overflow menu, whose button also
 * takes space. 0 means not measured yet: everything fits.
 */
export const groupsInRow = (
  groups: readonly MeasuredGroup[],
  available: number,
  target: number,
): ReadonlySet<string> => {
  const widthOf = (chosen: readonly MeasuredGroup[]) =>
    chosen.reduce((sum, { count }) => sum + count * target, 0) + Math.max(0, chosen.length - 1) * gap;
  if (available === 0 || widthOf(groups) <= available) return new Set(groups.map(({ id }) => id));
  const left = available - target - gap;
  const fitting: MeasuredGroup[] = [];
  for (const group of groups.toSorted((one, other) => one.rank - other.rank)) {
    if (widthOf([...fitting, group]) > left) break;
    fitting.push(group);
  }
  return new Set(fitting.map(({ id }) => id));
};

interface ViewerToolbarProps {
  readonly state: ToolState;
  /** The left end of the row. */
  readonly bar: ReactNode;
  readonly onCommand: (command: ViewerCommand) => void;
  /** Whether the menu of marks is open. */
  readonly marksMenu: boolean;
  readonly onMarksMenu: (open: boolean) => void;
}

const targetSize = () => (window.matchMedia('(pointer: coarse)').matches ? 44 : 40);

/** Tools of the active image in one row by purpose; what does not fit is in the overflow menu. */
export const ViewerToolbar = ({ state, bar, onCommand, marksMenu, onMarksMenu }: ViewerToolbarProps) => {
  const { t } = useTranslation('viewer');
  const keyText = useKeyText();
  const { ref, width } = useElementSize();
  const groups = toolGroups(state);
  const measured = groups.map(({ id, rank, menuKey, actions }) => ({ id, rank, count: menuKey ? 1 : actions.length }));
  const standing = groupsInRow(measured, width, targetSize());
  const hidden = groups.filter(({ id }) => !standing.has(id));
  const [moreOpen, setMoreOpen] = useState(false);
  const isToolHidden = hidden.some(({ actions }) =>
    actions.some(({ active, command }) => active && command.type === 'tool'),
  );
  const isMarksHidden = hidden.some(({ menuKey }) => menuKey);
  return (
    <div className={classes.bar} data-chrome>
      {bar && <div className={classes.start}>{bar}</div>}
      <div ref={ref} role="toolbar" aria-label={t('toolbar')} className={classes.toolbar}>
        {groups
          .filter(({ id }) => standing.has(id))
          .map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
            <div key={group.id} role="group" aria-label={t(`group-${group.id}`)} className={classes.group}>
              {group.menuKey ? (
                <MarksMenu group={group} opened={marksMenu} onOpened={onMarksMenu} onCommand={onCommand} />
              ) : (
                group.actions.map((action) => (
                  <ToolButton
                    key={action.id}
                    label={t(`tool-${action.id}`)}
                    shortcut={action.shortcut || undefined}
                    keyText={action.shortcut ? keyText(action.shortcut) : undefined}
                    active={action.active ?? undefined}
                    reason={action.reason && t(action.reason)}
                    onClick={() => onCommand(action.command)}
                  >
                    {toolIcons[action.id]}
                  </ToolButton>
                ))
              )}
            </div>
          ))}
        {hidden.length > 0 && (
          <Menu
            position="bottom-end"
            withinPortal
            opened={moreOpen || (isMarksHidden && marksMenu)}
            onChange={(open) => {
              setMoreOpen(open);
              if (!open) onMarksMenu(false);
            }}
          >
            <Menu.Target>
              <ActionIcon
                className={classes.more}
                variant="subtle"
                color="gray"
                aria-label={t('more')}
                data-active={isToolHidden || undefined}
              >
                <IconDots />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown className={classes.menu}>
              {hidden.map(({ id, actions }) => (
                <Fragment key={id}>
                  <Menu.Label>{t(`group-${id}`)}</Menu.Label>
                  <ToolItems actions={actions} onCommand={onCommand} />
                </Fragment>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
    </div>
  );
};
