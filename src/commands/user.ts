import { type Command, Option } from 'commander';
import { type Role, roles, setRole } from '../users/users.ts';
import { type Environment, withBoard } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

type RoleOptions = OutputOptions & { ssotype: string; userId: string; role: Lowercase<Role>; board?: string };

/** `user role`. */
export function addUser(program: Command, env: Environment, terminal: Terminal): void {
  const user = program.command('user').description('change what people may do');
  user
    .command('role')
    .description('give a person another role on the board')
    .requiredOption('--ssotype <name>', 'single sign-on integration that knows the person, as in createUser')
    .requiredOption('--user-id <id>', 'their id there')
    .addOption(
      new Option('--role <role>', 'what they may do').choices(roles.map((r) => r.toLowerCase())).makeOptionMandatory(),
    )
    .option('--board <pid>', 'which board (default: the first)')
    .option('--json', 'print one JSON object')
    .action((options: RoleOptions) =>
      withBoard(env, options.board, async (call) => {
        const identity = { ssoType: options.ssotype, ssoId: options.userId };
        const row = await setRole(call, identity, options.role.toUpperCase() as Role);
        if (!row)
          throw new Error(`User not found: ${options.ssotype}:${options.userId} is not registered (see createUser)`);
        const json = { id: row.id, ssoType: row.sso_type, ssoId: row.sso_id, name: row.name, role: row.role };
        print(terminal, options, json, `${row.name ?? row.sso_id} is ${row.role} now.`);
      }),
    );
}
