import { start } from './start.ts';

/** `node stand-ins/openid/main.ts '{"port": 0}'`: prints one line of JSON and serves until stdin ends or it is stopped. */
const { close, ...facts } = await start(JSON.parse(process.argv[2] ?? '{}'));
process.stdout.write(`${JSON.stringify(facts)}\n`);
const stop = () => void close().then(() => process.exit(0));
process.stdin.on('end', stop).resume();
process.on('SIGTERM', stop);
