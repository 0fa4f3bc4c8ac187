"""What the checker says, in the reader's language."""

import os

RUSSIAN = {
    "right": "верно",
    "not yet: {}": "пока нет: {}",
    "it has not ended within {} seconds": "за {} секунд не закончилась",
    "each wait begins when the one before it is over": (
        "каждое ожидание начинается, когда закончилось предыдущее"
    ),
    "the answers should come in the order of the services, and these came: {}": (
        "ответы нужны в порядке сервисов, а пришли такие: {}"
    ),
    "there are {} seats, and it sold {}": "мест {}, а продано {}",
    "these have seats: {}, and these have paid: {}": "места у {}, а заплатили {}",
    "a task that computes in another thread counts as {:.0%} of computing": (
        "у задачи, которая считает в другом потоке, доля вычислений {:.0%}"
    ),
    "a task that only waits counts as {:.0%} of computing": (
        "у задачи, которая только ждёт, доля вычислений {:.0%}"
    ),
    "a load failed, and load_all did not raise anything": (
        "одна загрузка не удалась, а load_all не бросила исключения"
    ),
    "a load begins only when the one before it has ended": (
        "каждая загрузка начинается, когда закончилась предыдущая"
    ),
    "the files should come in the order of the names, and these came: {}": (
        "файлы нужны в порядке имён, а пришли такие: {}"
    ),
    "two deposits of 10, and the balance is {}": "внесли дважды по 10, а на счёте {}",
    "the main process counts the words, so the other cores idle": (
        "слова считает главный процесс, а остальные ядра простаивают"
    ),
    "the texts have {} words, and it found {}": "слов в текстах {}, а насчитано {}",
    "it found {} words when it counted the same texts again": (
        "при повторном счёте тех же текстов насчитано {}"
    ),
    "it hangs: every worker waits for a task that no worker is free to do": (
        "программа зависла: все воркеры ждут задач, за которые некому взяться"
    ),
    "all pictures should come, folder by folder, and these came: {}": (
        "картинки нужны все, папка за папкой, а пришли такие: {}"
    ),
    "at most {} at a time, not {}": "одновременно можно не больше {}, а было {}",
    "it shrinks one picture at a time, and there are {} workers": (
        "картинки уменьшаются по одной, а воркеров {}"
    ),
    "while it looks up a name, no other task of the loop runs": (
        "пока ищется адрес, другие задачи цикла не работают"
    ),
    "each lookup begins when the one before it is over": (
        "каждый поиск начинается, когда закончился предыдущий"
    ),
    "the addresses should come in the order of the names, and these came: {}": (
        "адреса нужны в порядке имён, а пришли такие: {}"
    ),
}


def say(english, *values):
    """Return a sentence in Russian if the system speaks it, or if it was asked for."""
    names = ("LESSONS", "LC_ALL", "LC_MESSAGES", "LANG")
    language = next((os.environ[name] for name in names if os.environ.get(name)), "")
    sentence = RUSSIAN[english] if language.startswith("ru") else english
    return sentence.format(*values)
