import { Menu } from '@mantine/core';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './search.module.css';

export interface RowDeed {
  readonly text: string;
  readonly icon: ReactNode;
  readonly harms?: boolean;
  /** Why this person may not; null when they may. */
  readonly barred: string | null;
  readonly onDo: () => void;
}

const Opener = ({ className = '', ...props }: ComponentProps<'button'>) => (
  <button type="button" className={`${classes.opener} ${className}`} {...props}>
    <IconDots />
  </button>
);

interface RowMenuProps {
  /** What its button says: "More for Anna Berg". */
  readonly label: string;
  readonly deeds: readonly RowDeed[];
}

/** The menu from when it is first opened on; the focus goes back to its button. */
const OpenedMenu = ({ label, deeds }: RowMenuProps) => {
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

/** What can be done to a row. What this person may not do is there, and says why it cannot be chosen. Of many rows few are asked. */
export const RowMenu = ({ label, deeds }: RowMenuProps) => {
  const [isAsked, setIsAsked] = useState(false);
  if (isAsked) return <OpenedMenu label={label} deeds={deeds} />;
  return <Opener aria-label={label} aria-haspopup="menu" aria-expanded={false} onClick={() => setIsAsked(true)} />;
};
