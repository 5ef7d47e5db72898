<?php

declare(strict_types=1);

// As Composer would, without it.
spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/../src/' . substr($class, strlen('Posthorn\\')) . '.php';
});
error_reporting(E_ALL);
set_error_handler(static fn (int $level, string $text, string $file, int $line) => error_reporting() & $level
    ? throw new ErrorException($text, 0, $level, $file, $line)
    : false);

function check(bool $holds, string $what): void
{
    if (!$holds) {
        fwrite(STDERR, "wrong: $what\n");
        exit(1);
    }
}

/** @param class-string<Throwable> $class */
function thrown(string $class, callable $act): Throwable
{
    try {
        $act();
    } catch (Throwable $error) {
        check($error instanceof $class, $error::class . ': ' . $error->getMessage());
        return $error;
    }
    check(false, "no $class");
    exit(1);
}
