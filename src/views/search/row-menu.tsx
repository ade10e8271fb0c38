import { Menu } from '@mantine/core';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './search.module.css';

export interface RowAction {
  readonly text: string;
  readonly icon: ReactNode;
  readonly harms?: boolean;
  /** Why the action is disabled; null when allowed. */
  readonly disabledReason: string | null;
  readonly onDo: () => void;
}

const Opener = ({ className = '', ...props }: ComponentProps<'button'>) => (
  <button type="button" className={`${classes.opener} ${className}`} {...props}>
    <IconDots />
  </button>
);

interface RowMenuProps {
  /** Accessible name of the button, as "More for Anna Berg". */
  readonly label: string;
  readonly actions: readonly RowAction[];
}

/** The menu, rendered when first opened; focus returns to its button. */
const OpenedMenu = ({ label, actions }: RowMenuProps) => {
  const [opened, setOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    opener.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" withinPortal>
      <Menu.Target>
        <Opener ref={opener} aria-label={label} />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ text, icon, harms, disabledReason, onDo }) => (
          <Menu.Item
            key={text}
            leftSection={icon}
            color={harms ? 'red' : undefined}
            disabled={disabledReason !== null}
            onClick={onDo}
          >
            {text}
            {disabledReason && <span className={classes.reason}>{disabledReason}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

/** Menu of row actions, rendered on first use. Actions that are not allowed are disabled, with the reason. */
export const RowMenu = ({ label, actions }: RowMenuProps) => {
  const [isOpened, setIsOpened] = useState(false);
  if (isOpened) return <OpenedMenu label={label} actions={actions} />;
  return <Opener aria-label={label} aria-haspopup="menu" aria-expanded={false} onClick={() => setIsOpened(true)} />;
};
