import { ActionIcon, Menu } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useElementSize } from '../parts/element-size.ts';
import { ToolButton } from '../parts/tool-button.tsx';
import { useKeyText } from './key-text.ts';
import type { RoomCommand } from './room-commands.ts';
import classes from './room-toolbar.module.css';
import { type ToolState, toolGroups } from './tool-groups.tsx';
import { groupsInRow } from './toolbar-room.ts';

interface RoomToolbarProps {
  readonly state: ToolState;
  /** The left end of the row. */
  readonly bar: ReactNode;
  readonly onCommand: (command: RoomCommand) => void;
}

const targetSize = () => (window.matchMedia('(pointer: coarse)').matches ? 44 : 40);

/** All that can be done to the image in hand in one row, by purpose; what the row has no room for is in the menu at its end. */
export const RoomToolbar = ({ state, bar, onCommand }: RoomToolbarProps) => {
  const { t } = useTranslation('viewer');
  const keyText = useKeyText();
  const { ref, width } = useElementSize();
  const groups = toolGroups(state);
  const measured = groups.map(({ id, rank, actions }) => ({ id, rank, count: actions.length }));
  const standing = groupsInRow(measured, width, targetSize());
  const hidden = groups.filter(({ id }) => !standing.has(id));
  return (
    <div className={classes.bar} data-chrome>
      {bar && <div className={classes.start}>{bar}</div>}
      <div ref={ref} role="toolbar" aria-label={t('toolbar')} className={classes.toolbar}>
        {groups
          .filter(({ id }) => standing.has(id))
          .map(({ id, actions }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
            <div key={id} role="group" aria-label={t(`group-${id}`)} className={classes.group}>
              {actions.map((action) => (
                <ToolButton
                  key={action.id}
                  label={t(`tool-${action.id}`)}
                  shortcut={action.shortcut || undefined}
                  keyText={action.shortcut ? keyText(action.shortcut) : undefined}
                  active={action.active ?? undefined}
                  reason={action.reason && t(action.reason)}
                  onClick={() => onCommand(action.command)}
                >
                  {action.icon}
                </ToolButton>
              ))}
            </div>
          ))}
        {hidden.length > 0 && (
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon className={classes.more} variant="subtle" color="gray" aria-label={t('more')}>
                <IconDots />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown className={classes.menu}>
              {hidden.map(({ id, actions }) => (
                <Fragment key={id}>
                  <Menu.Label>{t(`group-${id}`)}</Menu.Label>
                  {actions.map((action) => (
                    <Menu.Item
                      key={action.id}
                      disabled={action.reason !== null}
                      title={action.reason ? t(action.reason) : undefined}
                      leftSection={<span className={classes.menuIcon}>{action.icon}</span>}
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
                  ))}
                </Fragment>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
    </div>
  );
};
