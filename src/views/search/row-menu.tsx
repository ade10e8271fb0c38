import { ActionIcon, Menu } from '@mantine/core';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './search.module.css';

export interface RowDeed {
  readonly text: string;
  readonly icon: ReactNode;
  readonly harms?: boolean;
  /** Why this person may not; null when they may. */
  readonly barred: string | null;
  readonly onDo: () => void;
}

/** What can be done to a row. What this person may not do is there, and says why it cannot be chosen. */
export const RowMenu = ({ name, deeds }: { readonly name: string; readonly deeds: readonly RowDeed[] }) => {
  const { t } = useTranslation('lists');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('moreFor', { name })}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {deeds.map(({ text, icon, harms, barred, onDo }) => (
          <Menu.Item
            key={text}
            leftSection={icon}
            color={harms ? 'red' : undefined}
            disabled={barred !== null}
            onClick={onDo}
          >
            {text}
            {barred && <span className={classes.reason}>{barred}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
