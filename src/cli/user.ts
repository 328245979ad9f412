import { type Command, Option } from 'commander';
import { type Role, roles, setRole } from '../identity/users/users.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, print, type Terminal, withBoardOptions } from './terminal.ts';

type RoleOptions = BoardOptions & { ssotype: string; userId: string; role: Lowercase<Role> };

/** `user role`. */
export function addUser(program: Command, env: Environment, terminal: Terminal): void {
  const user = program.command('user').description('manage the roles of users');
  withBoardOptions(
    user
      .command('role')
      .description("change a user's role")
      .requiredOption('--ssotype <name>', 'single sign-on integration of the user, as in createUser')
      .requiredOption('--user-id <id>', 'id of the user in that integration')
      .addOption(
        new Option('--role <role>', 'new role').choices(roles.map((r) => r.toLowerCase())).makeOptionMandatory(),
      ),
  ).action((options: RoleOptions) =>
    withBoard(env, options.board, async (context) => {
      const identity = { ssoType: options.ssotype, ssoId: options.userId };
      const row = await setRole(context, identity, options.role.toUpperCase() as Role);
      if (!row)
        throw new Error(`User not found: ${options.ssotype}:${options.userId} is not registered (see createUser)`);
      const json = { id: row.id, ssoType: row.sso_type, ssoId: row.sso_id, name: row.name, role: row.role };
      print(terminal, options, json, `${row.name ?? row.sso_id} is now ${row.role}.`);
    }),
  );
}
