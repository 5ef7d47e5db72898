<?php

declare(strict_types=1);

/** Asks a server at POSTHORN_URL that trickles, then one that is not there, and prints what happened. */

use Posthorn\NoAnswerError;
use Posthorn\Posthorn;

require __DIR__ . '/autoload.php';

foreach ([(string) getenv('POSTHORN_URL'), 'http://127.0.0.1:1'] as $url) {
    $posthorn = new Posthorn($url, 'ph_live_secret', timeoutSeconds: 0.2, tries: 1);
    $error = thrown(NoAnswerError::class, static fn () => $posthorn->execute(['type' => 'balance']));
    check(!str_contains((string) $error, 'ph_live_secret'), 'the key in an error');
    echo "none $error->reason: {$error->getPrevious()?->getMessage()}\n";
}
